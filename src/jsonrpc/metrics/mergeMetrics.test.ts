import { expect, test } from "vitest"
import { mergeMetrics } from "./mergeMetrics.js"

const metric = (name: string, type: string, lines: readonly string[]) => ({ name, help: "h", type, lines })

test("counters are summed, the largest value of a gauge counts, and some metrics are combined in their own way", () => {
  const lag = (seconds: number) =>
    metric("serac_event_loop_lag_seconds", "gauge", [`serac_event_loop_lag_seconds{share="1"} ${seconds}`])
  const one = [
    metric("process_start_time_seconds", "gauge", ["process_start_time_seconds 5"]),
    metric("calls", "counter", ['calls{m="a b"} 1']),
    metric("serac_rpc_pending", "gauge", ["serac_rpc_pending 2"]),
    metric("serac_blocks_accepted_total", "counter", ["serac_blocks_accepted_total 7"]),
  ]
  const two = [
    metric("calls", "counter", ['calls{m="a b"} 2.5', 'calls{m="c"} 4']),
    metric("process_start_time_seconds", "gauge", ["process_start_time_seconds 9"]),
    metric("serac_rpc_pending", "gauge", ["serac_rpc_pending 3"]),
    metric("serac_blocks_accepted_total", "counter", ["serac_blocks_accepted_total 8"]),
    lag(0.25),
  ]
  expect(mergeMetrics([one, two, [lag(0.5)]])).toEqual([
    metric("process_start_time_seconds", "gauge", ["process_start_time_seconds 5"]),
    metric("calls", "counter", ['calls{m="a b"} 3.5', 'calls{m="c"} 4']),
    metric("serac_rpc_pending", "gauge", ["serac_rpc_pending 5"]),
    metric("serac_blocks_accepted_total", "counter", ["serac_blocks_accepted_total 8"]),
    lag(0.5),
  ])
})
