#!/bin/sh
# Makes .venv ready to play or to test, from nothing but python3, and keeps everything inside this folder.
#
#   setup/ready.sh play     what running needs
#   setup/ready.sh board    that and the extra `board`: scores on phones
#   setup/ready.sh test     all that and the extra `dev`
#   setup/ready.sh train    that and the extra `train`, which is TensorFlow
#
# PYTHON chooses the interpreter. What pip and apt said is in .cache/setup.log. Quick when nothing is to be done:
# the stamp .venv/ready-to-play or -test holds what .venv was made from, and is written last of all.
set -eu

cd "$(dirname "$0")/.."
want=${1:-play}
python=${PYTHON:-python3}
log=.cache/setup.log
pins='-c constraints.txt'

stop() {
    printf '%s\n' "$1" >&2
    exit 2
}

case $want in
play) companion=. ;;
board) companion='.[board]' ;;
test) companion='.[dev,board,postgres]' ;;
train) companion='.[train]' ;;
*) stop "setup/ready.sh makes things ready for play, board, test or train, not for $want." ;;
esac

is_ready() {
    [ -x .venv/bin/python ] && [ "$(cat ".venv/ready-to-$want" 2>/dev/null)" = "$stamp" ]
}

# --- Which Python, and from what

asked='import sys; v = sys.version_info; print("%d.%d %d %s" % (v[0], v[1], v >= (3, 11), getattr(sys, "base_prefix", "")))'
answer=$("$python" -ES -c "$asked" 2>/dev/null) ||
    stop "There is no working $python here: install it with 'sudo apt install python3-venv', or name another with PYTHON=."
read -r version is_new_enough prefix <<-END
	$answer
	END
[ "$is_new_enough" = 1 ] ||
    stop "The table companion needs Python 3.11 or newer and $python is $version: name a newer one with PYTHON=."

made_from="$(pwd -P) python$version $prefix"
# The rooms are listed because an editable install knows only those that were there.
stamp="$made_from $({ cat pyproject.toml constraints.txt setup/ready.sh; ls -d companion hardware simulator vision; } 2>/dev/null | cksum)"
if is_ready; then exit 0; fi

mkdir -p .cache 2>/dev/null && : 2>/dev/null >>"$log" ||
    stop "$(id -un) may not write to the folder $(pwd), where the set-up has to put .venv and .cache."
exec 9>>.cache/setup.lock
if command -v flock >/dev/null; then flock 9; fi
if is_ready; then exit 0; fi  # another make was quicker
: >"$log"

# --- Three ways to a first pip

export PIP_CACHE_DIR="$PWD/.cache/pip" PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_USER=0

own_pip() { .venv/bin/python -m pip "$@"; }
system_pip() { "$python" -m pip --python .venv/bin/python "$@"; }
debian_pip() { .venv/bin/python "$(echo .cache/debian/usr/share/python-wheels/pip-*.whl)/pip" "$@"; }

fetch() {
    # Debian's package $1, unpacked under .cache/debian: no root, no change to the system.
    debian=$PWD/.cache/debian
    mkdir -p "$debian/lists/partial" "$debian/archives/partial"
    (
        cd "$debian" &&
            { apt-get -q download "$1" || fetch_with_own_lists "$1"; } &&
            dpkg-deb -x "$(echo "$1"_*.deb)" .
    )
}

fetch_with_own_lists() {
    # The system's package lists are missing or stale, and only root could renew them.
    own="-o Dir::State::lists=lists/ -o Dir::Cache=./ -o APT::Sandbox::User=root"
    # shellcheck disable=SC2086
    apt-get -q $own update && apt-get -q $own download "$1"
}

fetch_debian_pip() {
    rm -rf .cache/debian
    fetch python3-pip-whl
    if [ ! -e /etc/ssl/certs/ca-certificates.crt ] && [ -z "${PIP_CERT:-}" ]; then
        # Debian's pip looks only there for the certificates to trust.
        fetch ca-certificates
        cat .cache/debian/usr/share/ca-certificates/mozilla/*.crt >.cache/debian/ca.pem
        export PIP_CERT="$PWD/.cache/debian/ca.pem"
    fi
}

make_venv() {
    rm -rf .venv
    pip=own_pip
    if "$python" -m venv .venv; then return; fi
    rm -rf .venv
    "$python" -m venv --without-pip .venv || return
    pip=system_pip
    if system_pip --version; then return; fi
    pip=debian_pip
    fetch_debian_pip && debian_pip --version
}

# --- Making it

explain_pip() {
    if grep -qE 'No space left on device' "$log"; then
        stop "The disk is full: make room, then run make again (details in $log)."
    elif grep -qE 'CERTIFICATE_VERIFY_FAILED|SSLCertVerificationError' "$log"; then
        stop "The package index shows a certificate that is not trusted here: is the clock right? (it says $(date), details in $log)."
    elif grep -qE 'NewConnection|NameResolution|ConnectTimeout|ReadTimeout|connection broken|Network is unreachable' "$log"; then
        stop "The package index cannot be reached: connect to the network, then run make again (details in $log)."
    fi
    stop "pip could not install what constraints.txt asks for: the end of $log says why."
}

if [ "$(cat .venv/made-from 2>/dev/null)" != "$made_from" ]; then
    echo "Setting up .venv with Python $version, once; this can take some minutes."
    make_venv >>"$log" 2>&1 ||
        stop "$python can make no .venv with pip here: install what is missing with 'sudo apt install python3-venv' (details in $log)."
else
    echo "Bringing .venv up to date."
    pip=own_pip
fi
rm -f .venv/made-from .venv/ready-to-*  # whatever stops us from here on, the next run starts from nothing

# shellcheck disable=SC2086
{
    $pip install $pins pip setuptools &&
        own_pip install $pins --no-build-isolation --editable "$companion"
} >>"$log" 2>&1 || explain_pip

printf '%s\n' "$stamp" >.venv/ready-to-play
if [ "$want" != play ]; then cp .venv/ready-to-play ".venv/ready-to-$want"; fi
printf '%s\n' "$made_from" >.venv/made-from
