/** A validator that can be kept active for a price. */
export interface TopUpCandidate {
  readonly weight: bigint
  /** The amount that its balance lacks (nAVAX); 0 if it has enough. */
  readonly amount: bigint
}

/** Validators whose balances are increased. */
export interface TopUpPlan<T> {
  readonly topUps: readonly T[]
  /** The sum of their amounts, nAVAX. */
  readonly total: bigint
  /** True if no other plan costs less. */
  readonly isCheapest: boolean
}

/** Number of candidates up to which the cheapest plan is searched: 2^15 plans. */
export const MAX_SEARCHED = 15

/**
 * Returns the validators whose balances must be increased so that the active weight is at least `needed`. Up to `MAX_SEARCHED` candidates
 * that lack something the plan is the cheapest one, and of several the one with the fewest top-ups. Returns `undefined` if all together do
 * not have enough weight.
 */
export function planTopUps<T extends TopUpCandidate>(candidates: readonly T[], needed: bigint): TopUpPlan<T> | undefined {
  const weightOf = (some: readonly T[]) => sum(some.map(({ weight }) => weight))
  if (weightOf(candidates) < needed) return undefined
  const paying = candidates.filter(({ amount }) => amount > 0n)
  const missing = needed - weightOf(candidates.filter(({ amount }) => amount === 0n))
  const isCheapest = paying.length <= MAX_SEARCHED
  const topUps = isCheapest ? cheapest(paying, missing) : frugal(paying, missing)
  return { topUps, total: sum(topUps.map(({ amount }) => amount)), isCheapest }
}

/** Tries all sets of candidates, without those that already cost more than the best one. */
function cheapest<T extends TopUpCandidate>(candidates: readonly T[], missing: bigint): readonly T[] {
  let best: { readonly chosen: readonly T[]; readonly cost: bigint } | undefined
  const isBetter = (cost: bigint, count: number) =>
    !best || cost < best.cost || (cost === best.cost && count < best.chosen.length)
  const search = (at: number, chosen: readonly T[], weight: bigint, cost: bigint): void => {
    if (!isBetter(cost, chosen.length)) return
    if (weight >= missing) {
      best = { chosen, cost }
      return
    }
    const candidate = candidates[at]
    if (!candidate) return
    search(at + 1, [...chosen, candidate], weight + candidate.weight, cost + candidate.amount)
    search(at + 1, chosen, weight, cost)
  }
  search(0, [], 0n, 0n)
  return best?.chosen ?? []
}

/** Takes the candidates with the most weight for their price until there is enough, and then drops those that are not needed, the dearest first. */
function frugal<T extends TopUpCandidate>(candidates: readonly T[], missing: bigint): readonly T[] {
  const byPrice = [...candidates].sort((a, b) => Number(a.amount * b.weight - b.amount * a.weight))
  const chosen = new Set<T>()
  let weight = 0n
  for (const candidate of byPrice) {
    if (weight >= missing) break
    chosen.add(candidate)
    weight += candidate.weight
  }
  for (const candidate of [...chosen].sort((a, b) => Number(b.amount - a.amount))) {
    if (weight - candidate.weight < missing) continue
    chosen.delete(candidate)
    weight -= candidate.weight
  }
  return candidates.filter((candidate) => chosen.has(candidate))
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
