import { expect } from "vitest"
import type { Json } from "../../../../src/core/lib/json.js"
import { AVAX } from "../../../../src/core/networks/params.js"
import { after, both, type Case, missing, refusalText, refused, type Table } from "../../methods/table.js"
import { account, START, STRANGER } from "../fixture.js"

const ID = expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{40,52}$/)
const first = (each: Case): Case => after([], each)

const ZERO = "output has no value"
const UNSPENDABLE = "output is unspendable"

/** Cases of grants. */
export function moneyCases(): Table {
  return { ...fundCases(), ...creditCases(), ...accountCases() }
}

/** The well-known key, which genesis funds, and the other key of the local network, which owns nothing that it could spend. */
const [EWOQ, VMRQ] = ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u", "P-local1g65uqn6t77p656w64023nh8nd9updzmxyymev2"]

function accountCases(): Table {
  const paid = (params: Json) => first(both(params, { txID: ID, utxoID: ID }))
  const known = {
    address: EWOQ,
    evmAddress: "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC",
    privateKey: "PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN",
    privateKeyHex: "0x56289e99c94b6912bfc12adc093c9b51124f0dc54ac7a766b2bc5ccf558d8027",
    balance: expect.anything(),
  }
  const nobody = "no account of dev.accounts has this address"
  const poor = "the funded key does not have enough spendable AVAX"
  return {
    "dev.accounts": { takes: {}, normal: [both({}, { accounts: expect.arrayContaining([known]) })] },
    "dev.pay": {
      takes: { from: "string", to: "string", amount: "u64" },
      normal: [paid({ from: EWOQ, to: STRANGER, amount: 5 })],
      "all parameters": [paid({ from: account(0), to: account(1), amount: String(AVAX) })],
      "omitted parameters": [missing("from", refusalText('couldn\'t parse address "": no separator found in address'))],
      errors: [
        refused({ from: STRANGER, to: EWOQ, amount: 5 }, "producer.unknown_account", { address: STRANGER }, nobody),
        refused(
          { from: VMRQ, to: EWOQ, amount: 5 } as Json,
          "producer.insufficient_funds",
          { amount: 5, balance: 0, address: VMRQ } as never,
          poor,
        ),
      ],
    },
  }
}

function fundCases(): Table {
  const paid = (params: Json) => first(both(params, { txID: ID, utxoID: ID }))
  const created = (params: Json) => first(both(params, { utxoID: ID }))
  const who = { address: STRANGER }
  const whose = "give either `address` or `addresses`, and not both"
  const either = (params: Json) => refused(params, "dev.address_or_addresses", {}, whose)
  const badAddress = (address: string, reason: string, reference: string) =>
    refused(
      { address, amount: 5 },
      "platform.bad_address",
      { address, reason },
      `couldn't parse address "${address}": ${reference}`,
    )
  return {
    "dev.fund": {
      takes: {
        ...{ address: "string", addresses: "strings", threshold: "u32" },
        ...{ amount: "u64", locktime: "time", stakeableLocktime: "time" },
      },
      normal: [
        paid({ ...who, amount: 5 }),
        paid({ ...who, amount: "5" }),
        paid({ addresses: [STRANGER], amount: 5 }),
        paid({ addresses: [STRANGER, account(0), STRANGER], threshold: 2, amount: "7" }),
        paid({ ...who, amount: 5, locktime: "2031-01-01T00:00:00Z" }),
        paid({ ...who, amount: 5, stakeableLocktime: 0 }),
        created({ ...who, amount: 9, stakeableLocktime: Number(START) + 100 }),
        // An override can create more than the treasury owns, a payment cannot.
        created({ ...who, amount: "99000000000000000", stakeableLocktime: "2031-01-01T00:00:00Z" }),
      ],
      "all parameters": [
        created({
          addresses: [STRANGER, account(1)],
          threshold: 1,
          amount: 1,
          locktime: 7,
          stakeableLocktime: Number(START) + 1,
        }),
      ],
      "omitted parameters": [
        { ...missing("amount", refusalText(whose)) },
        missing("amount", refusalText(ZERO), who),
        either({ amount: 5 }),
      ],
      errors: [
        either({ ...who, addresses: [STRANGER], amount: 5 }),
        refused({ addresses: [], amount: 5 }, "dev.no_addresses", {}, "no address is given: name at least one"),
        badAddress("nobody", "the checksum does not match", "no separator found in address"),
        badAddress(
          "P-nobody",
          "it must be P-local1 and 38 more characters: some are missing or too many",
          "invalid bech32 string length 6",
        ),
        refused({ ...who, amount: 0 }, "types.zero_output", {}, ZERO),
        refused({ ...who, amount: 1, threshold: 2 }, "types.owner_unspendable", { threshold: 2, addresses: 1 }, UNSPENDABLE),
        refused(
          { ...who, amount: 1, threshold: 0 },
          "types.owner_unoptimized",
          { addresses: 1 },
          "output representation should be optimized",
        ),
        refused(
          { ...who, amount: "99000000000000000" },
          "producer.insufficient_funds",
          {
            ...{ amount: 99_000_000_000_000_000n, balance: 30_000_000n * AVAX - 400_000n * AVAX - 8_419n },
            address: "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u",
          },
          "the funded key does not have enough spendable AVAX",
        ),
      ],
    },
  }
}

function creditCases(): Table {
  const credit = { sourceChain: "X", address: STRANGER, amount: 1 }
  const credited = (params: Json) => first(both(params, { utxo: expect.stringMatching(/^0x0000[0-9a-f]{180,}$/) }))
  const notASource = (sourceChain: string) =>
    refused(
      { ...credit, sourceChain },
      "dev.not_a_source",
      { sourceChain },
      "nothing can be exported from this chain: name X or C",
    )
  return {
    "dev.creditAtomic": {
      takes: { sourceChain: "string", address: "string", amount: "u64" },
      normal: [
        ...["X", "C", "avm", "evm", "2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed"].map((sourceChain) =>
          credited({ ...credit, sourceChain }),
        ),
      ],
      "all parameters": [credited({ ...credit, amount: "18446744073709551615" })],
      "omitted parameters": [
        missing("sourceChain", refusalText("nothing can be exported from this chain: name X or C")),
        missing("address", refusalText(`couldn't parse address "": no separator found in address`), {
          sourceChain: "X",
          amount: 1,
        }),
        missing("amount", refusalText(ZERO), { sourceChain: "X", address: STRANGER }),
      ],
      errors: [
        ...["P", "Q", "x", "11111111111111111111111111111111LpoYY"].map(notASource),
        refused({ ...credit, amount: 0 }, "types.zero_output", {}, ZERO),
        refused(
          { ...credit, address: "x" },
          "platform.bad_address",
          { address: "x", reason: "the text is too short to hold its checksum" },
          `couldn't parse address "x": no separator found in address`,
        ),
      ],
    },
  }
}
