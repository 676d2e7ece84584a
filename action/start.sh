#!/usr/bin/env bash
# Starts a private chain in the background, waits until it is healthy, and gives its address to the later steps of the job.
set -euo pipefail

folder=$(mktemp -d "${RUNNER_TEMP:-/tmp}/serac-XXXXXX")
facts=$folder/process.json
log=$folder/serac.log
read -r -a words <<<"$CHAIN_COMMAND $CHAIN_FLAGS"
"${words[@]}" --http-port "$CHAIN_PORT" --process-context-file "$facts" >"$log" 2>&1 </dev/null &
starter=$!

# The node writes the file when it listens. `npx` passes no signals on, so the process to stop is the one that the file names.
fact() { node --print 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))[process.argv[2]]' "$facts" "$1"; }

end=$((SECONDS + CHAIN_TIMEOUT))
while ((SECONDS < end)) && kill -0 "$starter" 2>/dev/null; do
  if [ -s "$facts" ] && curl --silent --fail --output /dev/null "$(fact uri)/ext/health"; then
    printf 'url=%s\nlog=%s\n' "$(fact uri)" "$log" >>"$GITHUB_OUTPUT"
    printf 'SERAC_URL=%s\nCHAIN_PID=%s\nCHAIN_LOG=%s\n' "$(fact uri)" "$(fact pid)" "$log" >>"$GITHUB_ENV"
    echo "A private P-Chain runs at $(fact uri)"
    exit 0
  fi
  sleep 0.2
done

cat "$log"
echo "::error::the private chain was not healthy within $CHAIN_TIMEOUT seconds: ${words[*]}"
if [ -s "$facts" ]; then kill "$(fact pid)"; else kill "$starter" 2>/dev/null || true; fi
exit 1
