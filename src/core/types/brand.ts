declare const brand: unique symbol

/** A string that was checked to be what it says: `ID`, `NodeID`, `Address`. Lowercase hex, so `===`, map keys and sorting just work. */
export type Branded<Name extends string> = string & { readonly [brand]: Name }
