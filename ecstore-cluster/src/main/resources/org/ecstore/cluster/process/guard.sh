#!/bin/sh
# The guard of a node: runs it, and starts it again each time it has ended by itself. Written into the node's directory, where it runs, whenever
# "ecstore cluster" starts the node. Its arguments are the node's number and the command that is the node.
#
#   down, drained   files that are there while the node is to stay down; the guard ends with the node then
#   server.pid      the node's process, noted by that process itself before it becomes the node
#   guard.log       what happened to the node, with dates; guard.log.1 what happened before
#   server.out      what the node printed; server.out.1 what it printed before
#
# A command that wants the node down makes the file first and reads server.pid then. The node's process writes server.pid first and looks for the file
# then. So either it is seen and can be ended, or it sees the file and ends itself.
set -u

node=$1
shift

pause_first=1
pause_last=60
# After so many seconds of life an end is no longer the last one's repetition.
calm=60
bytes_max=1048576

# What the node says by its exit status; see ExitStatus.
told_to_end=0
refused=2
given_way=4

keep_small() {
  [ -e "$1" ] && [ "$(wc -c <"$1")" -gt "$bytes_max" ] && mv -f "$1" "$1.1"
}

say() {
  keep_small guard.log
  echo "$(date '+%Y-%m-%d %H:%M:%S') node $node $1" >>guard.log
}

is_wanted() {
  [ ! -e down ] && [ ! -e drained ] && [ -e ecstore.toml ]
}

# In the foreground: what a shell starts in the background ignores SIGINT, which ends a node.
run() {
  keep_small server.out
  # shellcheck disable=SC2016
  sh -c '
    # When it began, counted from the start of the machine, which setting the clock does not change: the 22nd word of "stat", behind the name in brackets.
    { read -r stat </proc/$$/stat && read -r boot </proc/sys/kernel/random/boot_id; } 2>/dev/null &&
      since=$(set -- ${stat##*")"}; echo " ${20} $boot") || since=
    echo "$$ $(date +%s)000$since" >server.pid.tmp && mv -f server.pid.tmp server.pid || exit 1
    [ ! -e down ] && [ ! -e drained ] || exit 0
    exec "$@"
  ' node "$@" </dev/null >>server.out 2>&1
}

# A second at a time, so that it ends soon after the node is not wanted any more.
rest() {
  left=$1
  while [ "$left" -gt 0 ] && is_wanted; do
    sleep 1
    left=$((left - 1))
  done
}

how() {
  if [ "$1" -gt 128 ]; then
    echo "by signal $(($1 - 128))"
  else
    echo "with status $1"
  fi
}

pause=$pause_first
while is_wanted; do
  begun=$(date +%s)
  run "$@"
  status=$?
  lived=$(($(date +%s) - begun))
  is_wanted || break
  case $status in
    "$told_to_end")
      say "was told to end, not by \"ecstore cluster\", and stays down"
      exit 0
      ;;
    "$refused")
      say "refuses to start and stays down: server.out has the reason, \"ecstore cluster start $node\" tries again"
      exit 0
      ;;
    "$given_way")
      say "was started again elsewhere and stays down"
      exit 0
      ;;
  esac
  [ "$lived" -lt "$calm" ] || pause=$pause_first
  say "ended $(how "$status") after $lived s; it is started again in $pause s"
  rest "$pause"
  pause=$((pause * 2))
  [ "$pause" -le "$pause_last" ] || pause=$pause_last
done
