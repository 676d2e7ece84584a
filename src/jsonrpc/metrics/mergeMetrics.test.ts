import { expect, test } from "vitest"
import { mergeMetrics } from "./mergeMetrics.js"

const metric = (name: string, lines: readonly string[]) => ({ name, help: "h", type: "counter", lines })

test("series of several processes are added up, the largest lag and the first start count", () => {
  const main = [metric("process_start_time_seconds", ["process_start_time_seconds 5"]), metric("calls", ['calls{m="a b"} 1'])]
  const worker = [
    metric("calls", ['calls{m="a b"} 2.5', 'calls{m="c"} 4']),
    metric("process_start_time_seconds", ["process_start_time_seconds 9"]),
    metric("serac_event_loop_lag_seconds", ['serac_event_loop_lag_seconds{quantile="1"} 0.25']),
  ]
  const other = [metric("serac_event_loop_lag_seconds", ['serac_event_loop_lag_seconds{quantile="1"} 0.5'])]
  expect(mergeMetrics([main, worker, other])).toEqual([
    metric("process_start_time_seconds", ["process_start_time_seconds 5"]),
    metric("calls", ['calls{m="a b"} 3.5', 'calls{m="c"} 4']),
    metric("serac_event_loop_lag_seconds", ['serac_event_loop_lag_seconds{quantile="1"} 0.5']),
  ])
})
