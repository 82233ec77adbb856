/**
 * The readable parts of a value that does not fit its shape. An undefined member was sent but not
 * readable; an absent member was not sent. Validation uses it to report all errors at once.
 */
export type DeepPartial<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly (DeepPartial<Item> | undefined)[]
    : { readonly [Name in keyof Value]?: DeepPartial<Value[Name]> | undefined }
