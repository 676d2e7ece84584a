import { useState } from "preact/hooks"
import { nanosOf, shortened } from "../data/format.js"
import { type DevResultOf, dev } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { More } from "../parts/More.js"
import { Answer } from "../parts/states.js"
import { Amount, Copy, IdLink } from "../parts/values.js"
import { Action, Field, requireNanos } from "./Action.js"

/** The number of accounts that are shown first. */
const FEW = 5

/** The pixels of these accounts and the form. */
const HEIGHT = 440

/** An account under the name that the terminal shows. */
type NamedAccount = DevResultOf<"accounts">["accounts"][number] & { readonly name: string }

/** The accounts of the phrase first, as the terminal lists them; the node puts the two keys of the local network before them. */
export async function askAccounts(): Promise<readonly NamedAccount[]> {
  const [ewoq, vmRQ, ...accounts] = (await dev("accounts")).accounts
  const numbered = accounts.map((account, i) => ({ ...account, name: `Account ${i}` }))
  const own = [ewoq && { ...ewoq, name: "ewoq" }, vmRQ && { ...vmRQ, name: "vmRQ" }]
  return [...numbered, ...own.filter((account) => account !== undefined)]
}

/** The funded accounts, and a payment from one of them. */
export function Accounts() {
  const query = useQuery("accounts", askAccounts)
  const [shown, setShown] = useState(FEW)
  return (
    <Answer query={query} height={HEIGHT}>
      {(accounts) => (
        <>
          <Pay accounts={accounts} />
          <ol class="list accounts">
            {accounts.slice(0, shown).map(({ name, address, privateKey, balance }) => (
              <li key={address}>
                <span class="number">{name}</span>
                <IdLink view="address" id={address} text={shortened(address, 11, 5)} />
                <Amount nanos={balance} />
                <span class="end quiet">
                  key <Copy text={privateKey} label="Copy the private key" />
                </span>
              </li>
            ))}
          </ol>
          {shown < accounts.length && <More onClick={() => setShown(accounts.length)} />}
          <p class="quiet">These keys are publicly known. Never use them on another network.</p>
        </>
      )}
    </Answer>
  )
}

function Pay({ accounts }: { readonly accounts: readonly NamedAccount[] }) {
  const [from, setFrom] = useState("")
  const [to, setTo] = useState<string | undefined>(undefined)
  const [amount, setAmount] = useState("10")
  const payer = from || accounts[0]?.address || ""
  const others = accounts.filter(({ address }) => address !== payer)
  const receiver = (to ?? others[0]?.address ?? "").trim()
  const nameOf = (address: string): string => accounts.find((each) => each.address === address)?.name ?? shortened(address, 12, 5)
  const pay = async () => {
    const nanos = requireNanos(nanosOf(amount))
    const { txID } = await dev("pay", { from: payer, to: receiver, amount: nanos })
    return (
      <span class="good">
        Paid <Amount nanos={nanos} /> to <IdLink view="address" id={receiver} text={nameOf(receiver)} /> in transaction{" "}
        <IdLink view="tx" id={txID} />
      </span>
    )
  }
  return (
    <Action label="Send" about="Sends AVAX from a funded account. The node signs." run={pay}>
      <Field label="From">
        <select value={payer} onChange={(event) => setFrom(event.currentTarget.value)}>
          {accounts.map(({ name, address }) => (
            <option key={address} value={address}>
              {name} ({shortened(address, 12, 4)})
            </option>
          ))}
        </select>
      </Field>
      <Field label="To" whole>
        <input
          value={to ?? receiver}
          required
          list="accounts"
          spellcheck={false}
          onInput={(event) => setTo(event.currentTarget.value)}
        />
      </Field>
      {/* Outside of the label, whose text is the name of the field. */}
      <datalist id="accounts">
        {accounts.map(({ name, address }) => (
          <option key={address} value={address}>
            {name}
          </option>
        ))}
      </datalist>
      <Field label="AVAX">
        <input value={amount} inputMode="decimal" size={10} onInput={(event) => setAmount(event.currentTarget.value)} />
      </Field>
    </Action>
  )
}
