import { expect, test } from "vitest"
import { Registry } from "./registry.js"

test("metrics print as Prometheus reads them", () => {
  const registry = new Registry()
  const calls = registry.counter("calls_total", "Calls")
  calls({ method: "a" }).value += 2
  calls({ method: 'b"\\\n' }).value++
  registry.gauge("height", "Height", () => 7)
  registry.gauge("unknown", "Nothing yet", () => undefined)
  registry.info("build_info", "Build", () => ({ version: "1", node: "20" }))
  registry.gauges("lag", "Lag", "quantile", () => ({ "0.5": 1.5 }))
  const latency = registry.histogram("seconds", "Latency", [0.1, 1])({ method: "a" })
  for (const value of [0.05, 0.1, 0.5, 5]) latency.observe(value)
  expect(registry.print()).toBe(`# HELP calls_total Calls
# TYPE calls_total counter
calls_total{method="a"} 2
calls_total{method="b\\"\\\\\\n"} 1
# HELP height Height
# TYPE height gauge
height 7
# HELP unknown Nothing yet
# TYPE unknown gauge
# HELP build_info Build
# TYPE build_info gauge
build_info{version="1",node="20"} 1
# HELP lag Lag
# TYPE lag gauge
lag{quantile="0.5"} 1.5
# HELP seconds Latency
# TYPE seconds histogram
seconds_bucket{method="a",le="0.1"} 2
seconds_bucket{method="a",le="1"} 3
seconds_bucket{method="a",le="+Inf"} 4
seconds_sum{method="a"} 5.65
seconds_count{method="a"} 4
`)
})
