declare const brand: unique symbol

/**
 * A string that was checked to be of this type: `ID`, `NodeID`, `Address`. It is lowercase hex, so that `===`, map keys and sorting work.
 */
export type Branded<Name extends string> = string & { readonly [brand]: Name }
