#!/bin/sh
# An engine for tests: speaks enough UGI to be started, and then does what its first argument says.
while read -r word rest; do
  case $word in
    ugi)
      if [ "$1" = mute ]; then continue; fi
      echo "id name fake $1"
      echo "id author the tests"
      echo "option name Level type spin default 1 min 0 max 9"
      echo "ugiok"
      ;;
    isready) echo readyok ;;
    go)
      case $1 in
        garbage) echo "% no protocol at all"; echo "bestmove what is this" ;;
        illegal) echo "bestmove a9" ;;
        flood) exec yes "info string a line of a flood that never ends" ;;
        one-line) exec tr '\0' 'x' < /dev/zero ;;
        silent) ;;
        dies) echo "out of luck" >&2; exit 3 ;;
        forks) sleep 1000 & sleep 1000 & ;;
        resigns) echo "bestmove resign" ;;
      esac
      ;;
    quit) exit ;;
  esac
done
