import { MAX64 } from "../../../core/lib/math64.js"
import { momentOf, type SetEra } from "../../../core/readmodel/sets/setEra.js"
import { Raw } from "../../../jsonrpc/method.js"
import { EraWords } from "./eraWords.js"

/**
 * A validator set at a height of an era as Warp messages are verified with it, as JSON: one signer for each key, in the order of
 * keys, and the weight of all. Nothing where there is no member, or where they weigh more than can be counted and can sign nothing.
 */
export function printedCanonicalSet(era: SetEra, height: bigint): Raw | undefined {
  const { spells } = momentOf(era, height)
  const words = new EraWords(era, spells)
  let total = 0n
  for (let entry = 0; entry < spells.length; entry++) if (words.isMember(entry)) total += BigInt(words.weight(entry))
  if (total === 0n || total > MAX64) return undefined
  const text = `{"validators":[${signersOf(era, words).join()}],"totalWeight":"${total}"}`
  return new Raw(Buffer.from(text, "latin1"))
}

function signersOf({ byKey }: SetEra, words: EraWords): readonly string[] {
  const signers: string[] = []
  const members = byKey.filter((entry) => words.isMember(entry))
  for (let i = 0; i < members.length; ) {
    const key = words.key(members[i] as number)
    let weight = words.weight(members[i] as number)
    let names = words.name(members[i] as number)
    // Those that share a key sign as one.
    for (i++; i < members.length && words.key(members[i] as number) === key; i++) {
      weight = `${BigInt(weight) + BigInt(words.weight(members[i] as number))}`
      names += `,${words.name(members[i] as number)}`
    }
    signers.push(`{"publicKey":${key},"weight":"${weight}","nodeIDs":[${names}]}`)
  }
  return signers
}
