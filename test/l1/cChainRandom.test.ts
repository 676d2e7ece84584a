import { expect, test } from "vitest"
import { attempts, Random, seed } from "../fuzz/random.js"
import { AtomicWallet, FEE } from "./cChain.js"
import { startWithCChain } from "./conservation.js"
import { needsPlugin } from "./plugins.js"

const WEI = 10n ** 9n
const USERS = 10
const count = attempts(10_000)

/** What an owner has by the model: on P (nAVAX, before fees), on C (wei), and on the way in each direction, in order of the amounts. */
interface Owned {
  p: bigint
  c: bigint
  forP: bigint[]
  forC: bigint[]
}

const inOrder = (amounts: readonly bigint[]) => [...amounts].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)

/** Lets an owner do one thing at random, and the model with it. What the chains refuse changes nothing. */
async function act(user: AtomicWallet, owned: Owned, other: AtomicWallet, random: Random): Promise<void> {
  const amount = BigInt(1 + random.below(2_000_000_000))
  const kind = random.below(10)
  if (kind < 3) {
    await user.exportFromC(amount)
    owned.c -= (amount + FEE) * WEI
    owned.forP = inOrder([...owned.forP, amount])
  } else if (kind < 6) {
    await user.exportFromP(amount)
    owned.p -= amount
    owned.forC = inOrder([...owned.forC, amount])
  } else if (kind === 6 && sum(owned.forP) > FEE * 10n) {
    await user.importToP()
    owned.p += sum(owned.forP)
    owned.forP = []
  } else if (kind === 7 && sum(owned.forC) > FEE) {
    await user.importToC()
    owned.c += (sum(owned.forC) - FEE) * WEI
    owned.forC = []
  } else if (kind === 8 && user.lastOnC) {
    await expect(user.issueOnC(user.lastOnC), "the same transaction again").rejects.toThrow()
  } else {
    await expect(user.importToC(other), "an import for another").rejects.toThrow()
    await expect(user.exportFromC(10n ** 15n), "an export of more than the owner has").rejects.toThrow()
  }
}

test(`${count} atomic transactions at random leave both chains as the model has them`, {
  ...needsPlugin("coreth"),
  timeout: 60_000 + count * 300,
}, async () => {
  const random = new Random(seed("atomic transactions"))
  await using devnet = await startWithCChain({ accounts: USERS })
  const { cChain } = devnet
  const users = await Promise.all(
    devnet.accounts.map(({ privateKey }, i) =>
      AtomicWallet.open(devnet.url, { privateKey, evm: cChain.keys[i + 2] as AtomicWallet["evm"] }, cChain),
    ),
  )
  const model = await Promise.all(
    users.map(async (user): Promise<Owned> => {
      return { p: await user.wallet.balance(user.key), c: await user.weiBalance(), forP: [], forC: [] }
    }),
  )
  const expectSame = async () => {
    for (const [i, user] of users.entries()) {
      const { p, c, forP, forC } = model[i] as Owned
      const onP = (await user.wallet.balance(user.key)) + user.burnedOnP
      const found = { p: onP, c: await user.weiBalance(), forP: await user.amountsForP(), forC: await user.amountsForC() }
      expect([i, found]).toEqual([i, { p, c, forP, forC }])
    }
  }
  for (let done = 0; done < count; done += USERS) {
    // Several owners at a time, so that blocks have several transactions.
    await Promise.all(users.map((user, i) => act(user, model[i] as Owned, users[(i + 1) % USERS] as AtomicWallet, random)))
    await expectSame()
  }
})
