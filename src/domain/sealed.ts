declare const sealed: unique symbol

/** Text encrypted at rest; only the vault port makes one and opens it. */
export type Sealed = string & { readonly [sealed]: true }
