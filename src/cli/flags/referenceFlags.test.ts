import { expect, test } from "vitest"
import { checkProtections } from "./referenceFlags.js"

test.each([
  ["http-tls-enabled", true],
  ["api-metrics-enabled", false],
  ["api-health-enabled", false],
  ["api-info-enabled", false],
  ["api-keystore-enabled", false],
])("--%s=%s is refused, because Serac cannot do it; the other value is accepted", (name, value) => {
  const refused = expect.objectContaining({
    code: "cli.lost_protection",
    data: { flag: `--${name}=${value}`, instead: expect.any(String) },
  })
  expect(() => checkProtections({ [name]: value })).toThrow(refused)
  checkProtections({ [name]: !value })
  checkProtections({})
})
