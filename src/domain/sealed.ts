declare const sealed: unique symbol

/** Encrypted text. Only the vault port creates and opens it. */
export type Sealed = string & { readonly [sealed]: true }
