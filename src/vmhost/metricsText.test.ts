import { create } from "@bufbuild/protobuf"
import { expect, test } from "vitest"
import { metricsText } from "./metricsText.js"
import { MetricFamilySchema, MetricType } from "./proto/metrics_pb.js"

test("metrics of two chains share their families, and the chain is a label", () => {
  const gauge = create(MetricFamilySchema, {
    name: "height",
    help: "the \n height",
    type: MetricType.GAUGE,
    metric: [{ label: [{ name: "kind", value: 'a"b' }], gauge: { value: 3.5 } }],
  })
  const counter = create(MetricFamilySchema, {
    name: "calls",
    help: "",
    type: MetricType.COUNTER,
    metric: [{ counter: { value: 7 } }],
  })
  const prefix = "avalanche_subnetevm"
  expect(
    metricsText([
      { prefix, chain: "one", families: [gauge, counter] },
      { prefix, chain: "two", families: [gauge] },
    ]),
  ).toBe(
    `# HELP avalanche_subnetevm_height the \\n height
# TYPE avalanche_subnetevm_height gauge
avalanche_subnetevm_height{kind="a\\"b",chain="one"} 3.5
avalanche_subnetevm_height{kind="a\\"b",chain="two"} 3.5
# HELP avalanche_subnetevm_calls${" "}
# TYPE avalanche_subnetevm_calls counter
avalanche_subnetevm_calls{chain="one"} 7
`,
  )
  expect(metricsText([])).toBe("")
})

test("summaries and histograms have their sums and counts", () => {
  const summary = create(MetricFamilySchema, {
    name: "s",
    type: MetricType.SUMMARY,
    metric: [{ summary: { sampleCount: 2n, sampleSum: 5, quantile: [{ quantile: 0.5, value: Number.NaN }] } }],
  })
  const histogram = create(MetricFamilySchema, {
    name: "h",
    type: MetricType.HISTOGRAM,
    metric: [{ histogram: { sampleCount: 3n, sampleSum: 6, bucket: [{ upperBound: 1, cumulativeCount: 2n }] } }],
  })
  const lines = metricsText([{ prefix: "p", chain: "c", families: [summary, histogram] }]).split("\n")
  expect(lines.filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
    'p_s{chain="c",quantile="0.5"} NaN',
    'p_s_sum{chain="c"} 5',
    'p_s_count{chain="c"} 2',
    'p_h_bucket{chain="c",le="1"} 2',
    'p_h_bucket{chain="c",le="+Inf"} 3',
    'p_h_sum{chain="c"} 6',
    'p_h_count{chain="c"} 3',
  ])
})
