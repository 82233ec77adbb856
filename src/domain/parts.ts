/**
 * What can be read of a value: a member that is undefined was sent in a form that cannot be judged, and one that is
 * missing was not sent. Rules that take parts find everything that is wrong, whatever else is.
 */
export type Parts<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly (Parts<Item> | undefined)[]
    : { readonly [Name in keyof Value]?: Parts<Value[Name]> | undefined }
