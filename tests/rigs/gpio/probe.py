import sys, os
from tests.rigs.gpio import guest, inside_smoke as s
import gpiod
from gpiod.line import Edge, Bias
def request(size):
    settings = gpiod.LineSettings(edge_detection=Edge.BOTH, bias=Bias.PULL_UP)
    return gpiod.request_lines(str(guest.chip().path), consumer="rig", config={tuple(s.SEATS): settings}, event_buffer_size=size)
def one(name, script, lines):
        ev, pd = s.events_of(script, lines)
        lost=sum(s.stamp_of(c,ev) is None for c in pd)
        late=sorted(c.before_ns-c.wanted_ns for c in pd); w=sorted(c.after_ns-c.before_ns for c in pd)
        q=lambda v:f"{v[len(v)//2]/1000:.0f}/{v[len(v)*9//10]/1000:.0f}/{v[len(v)*99//100]/1000:.0f}/{v[-1]/1000:.0f}"
        guest.tell(say=f"{name}: {len(ev)} of {len(pd)} lost {lost} missing {max(e.global_seqno for e in ev)-min(e.global_seqno for e in ev)+1-len(ev)} late {q(late)} write {q(w)}")
with request(1024) as lines:
  for mode in sys.argv[1:]:
    os.environ["STIM"]=mode
    for gap, pl in ((10_000,1),(100_000,1),(1_000_000,1),(10_000,2)):
        one(f"{mode} {gap} {pl}", guest.pairs(200, s.SEATS, gap_ns=gap, settle_ns=3_000_000, players=pl), lines)
    one(f"{mode} bounce", guest.bounces(30, s.SEATS[:2], chatter_ns=3000000, step_ns=300000, after_ns=1000000, settle_ns=5000000), lines)
