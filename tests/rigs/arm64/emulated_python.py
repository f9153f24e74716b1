"""What `python3 -c CODE WORD...` would do, for a program that starts itself again where its processor is emulated.

The kernel cannot run programs of that processor, but it can run this file: its first line names the emulator.
"""

import sys

from vision import apart

PROCESSOR = 600  # seconds for an answer: an emulated processor is many times slower than it would be

_, flag, code, *words = sys.argv
assert flag == "-c", sys.argv
apart.PROCESSOR = PROCESSOR
sys.argv = ["-c", *words]
exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
