import { grouped, shortened } from "../data/format.js"
import { platform } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { askValidators } from "../data/validators.js"
import { askAccounts } from "./Accounts.js"

/** The number of L1s whose validators are suggested, and of validators of the primary network. */
const [L1S, NODES] = [8, 50]

/** Returns the values that fields of a name can have on this chain, each with words about it. */
async function askSuggestions(): Promise<Readonly<Record<string, readonly (readonly [value: string, words: string])[]>>> {
  const [{ l1s }, accounts, validators] = await Promise.all([platform("getL1s"), askAccounts(), askValidators()])
  const ofL1s = (await Promise.all(l1s.slice(0, L1S).map(({ subnetID }) => askValidators({ subnetID })))).flat()
  const addresses = accounts.map(({ address, name }) => [address, name] as const)
  return {
    subnetID: l1s.map((each) => [each.subnetID, `L1 with ${each.validators} validators`]),
    validationID: ofL1s.map(({ validationID = "", nodeID, weight }) => [
      validationID,
      `${shortened(nodeID, 12, 4)}, weight ${grouped(weight)}`,
    ]),
    nodeID: validators.slice(0, NODES).map(({ nodeID, nextPeriod }) => [nodeID, nextPeriod === undefined ? "" : "auto-renewed"]),
    address: addresses,
    addresses,
    owner: addresses,
  }
}

/** Lists for the fields of the Lab's forms, which name them by their own names. */
export function Suggestions() {
  const { data = {} } = useQuery("suggestions", askSuggestions, { pause: 2000 })
  return (
    <>
      {Object.entries(data).map(([name, values]) => (
        <datalist key={name} id={`suggest-${name}`}>
          {values.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </datalist>
      ))}
    </>
  )
}
