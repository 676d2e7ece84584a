import type { Facts } from "../facts.js"
import type { Table } from "../table.js"
import { blockCases } from "./blocks.js"
import { feeCases } from "./fees.js"
import { historyCases } from "./history.js"
import { moneyCases } from "./money.js"
import { subnetCases } from "./subnets.js"
import { txCases } from "./txs.js"
import { validatorCases } from "./validators.js"
import { weightCases } from "./weights.js"

const themes = [blockCases, feeCases, subnetCases, validatorCases, weightCases, moneyCases, txCases, historyCases]

/** Every method with its cases. */
export function allCases(facts: Facts): Table {
  return Object.assign({}, ...themes.map((casesOf) => casesOf(facts)))
}
