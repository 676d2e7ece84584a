import type { MethodsFixture } from "../fixture.js"
import type { Table } from "../table.js"
import { blockCases } from "./blocks.js"
import { explorerCases } from "./explorer.js"
import { feeCases } from "./fees.js"
import { historyCases } from "./history.js"
import { infoCases } from "./info.js"
import { keystoreCases } from "./keystore.js"
import { moneyCases } from "./money.js"
import { stakingCases } from "./stakes.js"
import { subnetCases } from "./subnets.js"
import { txCases } from "./txs.js"
import { validatorCases } from "./validators.js"
import { weightCases } from "./weights.js"
import { wireCases } from "./wire.js"

const chain = [
  blockCases,
  feeCases,
  subnetCases,
  validatorCases,
  weightCases,
  moneyCases,
  stakingCases,
  txCases,
  historyCases,
  explorerCases,
  wireCases,
]

/** Every method with its cases. */
export function allCases(facts: MethodsFixture): Table {
  return Object.assign({}, ...[...chain, infoCases, keystoreCases].map((casesOf) => casesOf(facts)))
}
