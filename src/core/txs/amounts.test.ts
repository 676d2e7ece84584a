import { expect, test } from "vitest"
import { AVAX, conversionValidator, idOfByte, inputOf, outputOf, validTxs } from "../../../test/fixtures/txs.js"
import { refusal } from "../../../test/refusal.js"
import { MAX64 } from "../lib/math64.js"
import { utxoID } from "../types/utxo.js"
import { amountsOf, burnedAvax, consumedUtxoIDs } from "./amounts.js"
import type { TxKind } from "./unsignedTx.js"

// Every fixture takes 9,000 twice and gives 5,000, and 6,000 under a lock.
const burned: Readonly<Record<TxKind, bigint>> = {
  BaseTx: 7_000n,
  CreateSubnetTx: 7_000n,
  CreateChainTx: 7_000n,
  AddSubnetValidatorTx: 7_000n,
  RemoveSubnetValidatorTx: 7_000n,
  TransferSubnetOwnershipTx: 7_000n,
  TransformSubnetTx: 7_000n,
  SetL1ValidatorWeightTx: 7_000n,
  DisableL1ValidatorTx: 7_000n,
  // Stake is not burned.
  AddValidatorTx: 4_000n,
  AddDelegatorTx: 4_000n,
  AddPermissionlessValidatorTx: 4_000n,
  AddPermissionlessDelegatorTx: 4_000n,
  // Exported amounts are not burned either; imported amounts are added.
  ExportTx: 6_985n,
  ImportTx: 7_014n,
  // Nor are balances that L1 validators pay from.
  ConvertSubnetToL1Tx: 6_000n,
  RegisterL1ValidatorTx: 6_000n,
  IncreaseL1ValidatorBalanceTx: 6_000n,
  SetAutoRenewedValidatorConfigTx: 7_000n,
  AddAutoRenewedValidatorTx: 4_000n,
  AdvanceTimeTx: 0n,
  RewardValidatorTx: 0n,
  RewardAutoRenewedValidatorTx: 0n,
}

test.each(Object.entries(burned))("a %s burns %d nAVAX of what it takes", (kind, amount) => {
  expect(burnedAvax(validTxs[kind as TxKind], AVAX)).toBe(amount)
})

test("other assets do not count", () => {
  const coin = idOfByte(0xfc)
  const tx = {
    ...validTxs.BaseTx,
    outputs: [outputOf(5n), outputOf(9n, coin)],
    inputs: [inputOf(idOfByte(1), 0, 7n), inputOf(idOfByte(2), 0, 8n, coin)],
  }
  expect([burnedAvax(tx, AVAX), burnedAvax({ ...tx, outputs: [] }, coin)]).toEqual([2n, 8n])
})

test("more out than in, and more in than there can be, is refused", () => {
  const tx = validTxs.BaseTx
  expect(refusal(() => burnedAvax({ ...tx, outputs: [outputOf(18_001n)] }, AVAX)).code).toBe("tx.mints")
  const inputs = [inputOf(idOfByte(1), 0, MAX64), inputOf(idOfByte(2), 0, 1n)]
  expect(refusal(() => burnedAvax({ ...tx, inputs }, AVAX)).code).toBe("tx.mints")
})

test("the balances of a conversion add up, past 64 bits too", () => {
  const validators = [conversionValidator, conversionValidator].map((each) => ({ ...each, balance: MAX64 }))
  expect(amountsOf({ ...validTxs.ConvertSubnetToL1Tx, validators }).balances).toBe(2n * MAX64)
})

test("imported amounts are consumed, too", () => {
  const ordinary = [utxoID(idOfByte(0x21), 0), utxoID(idOfByte(0x21), 3)]
  expect(consumedUtxoIDs(validTxs.BaseTx)).toEqual(ordinary)
  expect(consumedUtxoIDs(validTxs.ImportTx)).toEqual([...ordinary, utxoID(idOfByte(0x62), 0), utxoID(idOfByte(0x62), 1)])
  expect(consumedUtxoIDs(validTxs.AdvanceTimeTx)).toEqual([])
})
