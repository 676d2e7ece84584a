/**
 * Texts of v1.15.0, which Serac repeats, that differ from those of older versions: it knows type ID 40, and reads transactions of up to 2 MiB.
 * By kind and name of the recorded refusal.
 */
export const changedRefusals: { readonly [kindAndName: string]: { readonly error: string; readonly answer: string } } = {
  "BaseTx: type ID 40": {
    error: "unknown type ID 2304",
    answer: "couldn't parse tx: couldn't parse tx: couldn't unmarshal interface: unknown type ID 2304",
  },
  "CreateChainTx: transaction above 256 KiB": {
    error: "transaction size exceeds max transaction size pre-Helicon",
    answer: "couldn't issue tx: failed verification: transaction size exceeds max transaction size pre-Helicon",
  },
}
