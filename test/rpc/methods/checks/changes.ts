import { describe, expect, test } from "vitest"
import { FRIEND, type MethodsFixture, PAYER, time } from "../fixture.js"
import { DAY, END, START, UNLOCKED } from "../when.js"
import { dialects, undone } from "./answers.js"

/** Checks that answers follow the last block, and the clock where a method depends on it. */
export function answersFollowTheChain({ nodes, unissued, members, height }: MethodsFixture): void {
  describe.each(dialects)("under the dialect %s", (dialect) => {
    const node = nodes[dialect]
    const balanceOf = (address: string) => node.call<Record<string, string>>("platform.getBalance", { addresses: [address] })

    test("locks open by the node's clock, between blocks and without one", async () => {
      const parts = async () => {
        const { balance, unlocked, lockedStakeable, lockedNotStakeable } = await balanceOf(FRIEND)
        expect(BigInt(unlocked!) + BigInt(lockedStakeable!) + BigInt(lockedNotStakeable!)).toBe(BigInt(balance!))
        return [lockedStakeable, lockedNotStakeable]
      }
      const locked = ["3000000000", "7000000000"]
      expect(await parts()).toEqual(locked)
      await undone(node, async () => {
        await node.call("dev.setBlockMode", { mode: "manual" })
        const at = async (to: bigint) => {
          await node.call("dev.setTime", { to })
          return parts()
        }
        expect(await at(UNLOCKED - 1n)).toEqual(locked)
        // The lock inside another one opens first: then it can be staked.
        expect(await at(UNLOCKED)).toEqual(["2000000000", "0"])
        expect(await at(UNLOCKED + DAY)).toEqual(["0", "0"])
      })
      // The clock of a reverted chain decreases.
      expect(await parts()).toEqual(locked)
    })

    test("a payment is in the next answers, and not after its revert", async () => {
      const answers = async () => ({
        balance: await balanceOf(FRIEND),
        utxos: await node.call<{ numFetched: string }>("platform.getUTXOs", { addresses: [FRIEND] }),
        events: await node.call("platform.getTxsByAddress", { address: FRIEND, limit: 1 }),
        height: await node.call("platform.getHeight"),
      })
      const before = await answers()
      await undone(node, async () => {
        await node.call("platform.issueTx", { tx: unissued.rival.hex })
        const now = await answers()
        expect(BigInt(now.balance.balance!) - BigInt(before.balance.balance!)).toBe(1_000_000_000n)
        expect(now.balance.utxoIDs!.length).toBe(Number(now.utxos.numFetched))
        expect(Number(now.utxos.numFetched)).toBe(Number(before.utxos.numFetched) + 1)
        expect(now.events).toMatchObject({ txs: [{ txID: unissued.rival.id, height: String(height + 1) }] })
        expect(now.height).toEqual({ height: String(height + 1) })
      })
      expect(await answers()).toEqual(before)
    })

    test("a staker that begins is listed among the current validators in the order in which they leave", async () => {
      const outputs = async () => {
        const { stakedOutputs } = await node.call<{ stakedOutputs: readonly string[] }>("platform.getStake", {
          ...{ addresses: [PAYER], validatorsOnly: true },
        })
        return stakedOutputs
      }
      const [staying, open, keyless, pending] = await outputs()
      await undone(node, async () => {
        await node.call("dev.setTime", { to: START + 14n * DAY })
        expect(await outputs()).toEqual([staying, open, pending, keyless])
        const validators = await node.call<{ validators: readonly object[] }>("platform.getCurrentValidators")
        expect(validators.validators.length).toBe(8)
      })
      expect(await outputs()).toEqual([staying, open, keyless, pending])
    })

    test("balances of L1 validators are as of the last block; the fee state is that of a block built now", async () => {
      const { validationID } = members[0]!
      const answers = async () => [
        await node.call("platform.getL1Validator", { validationID }),
        await node.call("platform.getTimestamp"),
      ]
      const before = await answers()
      const full = { capacity: 1_000_000, excess: 0, price: 1 }
      // The block that settles has one transaction.
      const FILLER_GAS = 4_099
      await undone(node, async () => {
        await node.call("dev.setTime", { to: END + 100n })
        expect(await answers()).toEqual(before)
        expect(await node.call("platform.getFeeState")).toEqual({ ...full, timestamp: time(END + 100n) })
        await node.call("dev.advanceTime", { to: END + 200n, settle: true })
        const [validator] = (await answers()) as [{ balance: string }, object]
        expect(await node.call("platform.getFeeState")).toEqual({
          capacity: 1_000_000 - FILLER_GAS,
          excess: FILLER_GAS,
          price: 1,
          timestamp: time(END + 200n),
        })
        expect(BigInt((before[0] as { balance: string }).balance) - BigInt(validator.balance)).toBe(200n)
      })
    })
  })
}
