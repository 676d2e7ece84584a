import { useState } from "preact/hooks"
import { nanosOf } from "../data/format.js"
import { addressStart, network } from "../data/network.js"
import { dev } from "../data/rpc.js"
import { Amount, IdLink } from "../parts/values.js"
import { Action, Field, requireNanos } from "./Action.js"

/** Grants AVAX to any address, and impersonates addresses. */
export function Fund() {
  const [address, setAddress] = useState("")
  const [amount, setAmount] = useState("1000")
  const fund = async () => {
    const nanos = requireNanos(nanosOf(amount))
    const { txID } = await dev<{ txID?: string }>("fund", { address: address.trim(), amount: nanos })
    return (
      <span class="good">
        Gave <Amount nanos={nanos} /> {txID !== undefined && <IdLink view="tx" id={txID} />}
      </span>
    )
  }
  return (
    <section class="sheet" aria-label="Fund an address">
      <h2>Fund</h2>
      <Action label="Fund" about="Gives AVAX to an address, for example of your wallet." run={fund}>
        <AddressField label="Address" value={address} onInput={setAddress} />
        <Field label="AVAX">
          <input value={amount} inputMode="decimal" size={10} onInput={(event) => setAmount(event.currentTarget.value)} />
        </Field>
      </Action>
      <Impersonate />
    </section>
  )
}

function Impersonate() {
  const [address, setAddress] = useState("")
  const [method, setMethod] = useState("impersonate")
  const run = async () => {
    await dev(method, { addresses: [address.trim()] })
    return (
      <span class="good">{method === "impersonate" ? "Anyone may act for it now." : "Only its owner may act for it now."}</span>
    )
  }
  return (
    <>
      <h2>Impersonate</h2>
      <Action label="Set" about="Lets transactions of an address pass without its signature." run={run}>
        <AddressField label="Owner's address" value={address} onInput={setAddress} />
        <Field label="Signatures">
          <select value={method} onChange={(event) => setMethod(event.currentTarget.value)}>
            <option value="impersonate">are ignored</option>
            <option value="stopImpersonating">are checked</option>
          </select>
        </Field>
      </Action>
    </>
  )
}

interface AddressFieldProps {
  readonly label: string
  readonly value: string
  onInput(text: string): void
}

/** A field for one address of the P-Chain. */
function AddressField({ label, value, onInput }: AddressFieldProps) {
  return (
    <Field label={label} wide>
      <input
        required
        spellcheck={false}
        value={value}
        placeholder={`${addressStart(network.value.name)}…`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Field>
  )
}
