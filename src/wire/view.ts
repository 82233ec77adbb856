// One description of an answer makes its JSON, its type and its schema: each key says in one place
// what it means and where its value comes from. The operators' document and the reference of JSON
// output are made from the schemas.
import type { Money } from '../domain/money.ts'
import * as schemas from './json-schema.ts'
import { type JsonSchema, type NullableSchema, refer, type SchemaOf } from './json-schema.ts'

/** A key of an answer. */
export interface Field<Source, Value> {
  readonly schema: JsonSchema
  /** The views to which the schema refers. */
  readonly views: readonly AnyView[]
  of(source: Source): Value
}

/** A key that is left out if its value is undefined. */
interface OptionalField<Source, Value> extends Field<Source, Value | undefined> {
  readonly isOptional: true
}

export type Fields<Source> = Readonly<Record<string, Field<Source, unknown>>>
type ValueOf<F> = F extends { of(source: never): infer Value } ? Value : never
type OptionalKey<F> = {
  [Key in keyof F]: F[Key] extends { readonly isOptional: true } ? Key : never
}[keyof F]
type Values<F> = { [Key in Exclude<keyof F, OptionalKey<F>>]: ValueOf<F[Key]> } & {
  [Key in OptionalKey<F>]?: Exclude<ValueOf<F[Key]>, undefined>
}

/** What an operation answers with, such as a view or a list of views. */
export interface Answer<Source, Value> {
  readonly schema: JsonSchema
  /** The views to which the schema refers. */
  readonly views: readonly AnyView[]
  render(source: Source): Value
}

/** What documents need to know of a view. */
export interface AnyView {
  /** Documents show the object under this name. */
  readonly name: string
  /** The schema of the object; the `schema` of the answer only refers to it. */
  readonly object: JsonSchema
  /** The views to which the object refers. */
  readonly parts: readonly AnyView[]
}

/** The description of an object. */
export interface View<Source, Value, F = Fields<Source>> extends Answer<Source, Value>, AnyView {
  readonly fields: F
}

/** The JSON that an answer renders. */
export type Rendered<A> = A extends { render(source: never): infer Value } ? Value : never

/** `view<Operator>()('Operator', { name: text('Operator name.', (it) => it.name) })` */
export function view<Source>() {
  return <F extends Fields<Source>>(name: string, fields: F): View<Source, Values<F>, F> => {
    const entries = Object.entries(fields)
    const wrong = entries.find(([, { of }]) => of === itself)
    if (wrong) throw new TypeError(`${name}: the key ${wrong[0]} does not say its source.`)
    return describe(name, fields, (source) => {
      const json: Record<string, unknown> = {}
      for (const [key, field] of entries) {
        const value = field.of(source)
        if (value !== undefined || !isOptional(field)) json[key] = value
      }
      return json as Values<F>
    })
  }
}

/**
 * The description of an object that is made as it is printed: `plain('Script', { script: text('The script.') })`.
 * Its keys need no source, and its type is `Rendered<typeof …>`.
 */
export function plain<F extends Fields<never>>(
  name: string,
  fields: F,
): View<Values<F>, Values<F>, F> {
  return describe(name, fields, itself)
}

const itself = <Value>(value: Value): Value => value

function describe<Source, Value, F extends Fields<never>>(
  name: string,
  fields: F,
  render: (source: Source) => Value,
): View<Source, Value, F> {
  const entries = Object.entries(fields)
  const required = entries.filter(([, field]) => !isOptional(field))
  const object = {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, { schema }]) => [key, schema])),
    required: required.map(([key]) => key),
  }
  const parts = entries.flatMap(([, { views }]) => views)
  const self = { name, fields, object, parts, schema: refer(name), render }
  return { ...self, views: [self] }
}

function isOptional(field: object): boolean {
  return 'isOptional' in field
}

/** JSON that is made elsewhere, such as a part of a file. `schema` describes it. */
export function unchanged<Value>(name: string, schema: JsonSchema): View<Value, Value, never> {
  const self = { name, object: schema, parts: [], schema: refer(name), fields: undefined as never }
  return { ...self, views: [self], render: (value) => value }
}

/** A value that is printed as it is. */
export function value<Value>(schema: JsonSchema): Answer<Value, Value> {
  return { schema, views: [], render: itself }
}

interface Many<Source, Value> extends Answer<readonly Source[], readonly Value[]> {
  readonly each: Answer<Source, Value>
}

/** A list of objects as an answer. */
export function many<Source, Value>(each: Answer<Source, Value>): Many<Source, Value> {
  return {
    each,
    schema: schemas.list(each.schema),
    views: each.views,
    render: (sources) => sources.map((source) => each.render(source)),
  }
}

/** One of several forms, which other answers have rendered. */
export function either<Forms extends readonly Answer<never, unknown>[]>(
  ...forms: Forms
): Answer<Rendered<Forms[number]>, Rendered<Forms[number]>> {
  return {
    schema: schemas.either(...forms.map(({ schema }) => schema)),
    views: forms.flatMap(({ views }) => views),
    render: itself,
  }
}

/** The answer of something that another view has rendered. */
export function rendered<Value>(answer: Answer<never, Value>): Answer<Value, Value> {
  return { schema: answer.schema, views: answer.views, render: itself }
}

export function isManyOf<Source>(
  answer: Answer<Source, unknown>,
): answer is Answer<Source, unknown> & { readonly each: Answer<unknown, unknown> } {
  return 'each' in answer
}

/** The fields of another view, whose source is a part of this one. */
export function fieldsOf<Source, Part, F extends Fields<Part>>(
  other: { readonly fields: F },
  partOf: (source: Source) => Part,
): { readonly [Key in keyof F]: FieldOf<Source, F[Key]> } {
  const fields = Object.entries(other.fields).map(([key, field]) => [
    key,
    { ...field, of: (source: Source) => field.of(partOf(source)) },
  ])
  return Object.fromEntries(fields)
}
type FieldOf<Source, F> = F extends { readonly isOptional: true }
  ? OptionalField<Source, Exclude<ValueOf<F>, undefined>>
  : Field<Source, ValueOf<F>>

/** The schemas of fields, for objects that commands print in another form. */
export function schemasOf<F extends Fields<never>>(
  fields: F,
): { readonly [Key in keyof F]: F[Key]['schema'] } {
  const schemasOfKeys = Object.entries(fields).map(([key, { schema }]) => [key, schema])
  return Object.fromEntries(schemasOfKeys)
}

/** All views to which answers refer, directly or through others, by name. */
export function definitionsOf(views: readonly AnyView[]): Readonly<Record<string, JsonSchema>> {
  const found = new Map<string, AnyView>()
  const add = (each: AnyView): void => {
    const known = found.get(each.name)
    if (known?.object === each.object) return
    if (known) throw new TypeError(`Two views have the name "${each.name}".`)
    found.set(each.name, each)
    for (const part of each.parts) add(part)
  }
  for (const each of views) add(each)
  return Object.fromEntries([...found].map(([name, { object }]) => [name, object]))
}

/** A key with any schema. If the value can be null, the schema must say so. */
export function field<Source, Value>(
  schema: SchemaOf<Value>,
  of: (source: Source) => Value = unsourced,
): Field<Source, Value> {
  return { schema, views: [], of }
}

/** A key that is left out if its value is undefined. */
export function ifPresent<Source, Value>({
  of,
  ...rest
}: Field<Source, Value | undefined>): OptionalField<Source, Value> {
  return { ...rest, of, isOptional: true }
}

/** The keys of a plain object have no source. */
const unsourced = itself as (source: unknown) => never

const fieldWith =
  <Base, Schema extends JsonSchema = JsonSchema>(make: (description: string) => Schema) =>
  <Source, Value extends Base>(description: string, of: (source: Source) => Value = unsourced) => ({
    schema: make(description),
    views: [] as readonly AnyView[],
    of,
  })

export const text = fieldWith<string>(schemas.text)
export const id = fieldWith<string>(schemas.id)
export const instant = fieldWith<string>(schemas.instant)
export const date = fieldWith<string>(schemas.date)
export const amount = fieldWith<Money>(schemas.amount)
export const count = fieldWith<number>(schemas.count)
export const number = fieldWith<number>(schemas.number)
export const bool = fieldWith<boolean>(schemas.bool)
export const texts = fieldWith<readonly string[]>((description) =>
  schemas.list(schemas.text(''), description),
)
export const ids = fieldWith<readonly string[]>((description) =>
  schemas.list(schemas.id(''), description),
)
export const counts = fieldWith<Readonly<Record<string, number>>>((description) =>
  schemas.byName(schemas.count(''), description),
)
export const textsByName = fieldWith<Readonly<Record<string, string>>>((description) =>
  schemas.byName(schemas.text(''), description),
)

const nullableWith = <Base>(make: (description: string) => JsonSchema) =>
  fieldWith<Base | null, NullableSchema>((description) => schemas.orNull(make(description)))

export const textOrNull = nullableWith<string>(schemas.text)
export const idOrNull = nullableWith<string>(schemas.id)
export const instantOrNull = nullableWith<string>(schemas.instant)
export const dateOrNull = nullableWith<string>(schemas.date)
export const amountOrNull = nullableWith<Money>(schemas.amount)
export const countOrNull = nullableWith<number>(schemas.count)
export const numberOrNull = nullableWith<number>(schemas.number)

export function oneOf<Source, const Known extends string, Value extends Known>(
  values: readonly Known[],
  description: string,
  of: (source: Source) => Value = unsourced,
): Field<Source, Value> {
  return { schema: schemas.oneOf(values, description), views: [], of }
}

export function oneOfOrNull<Source, const Known extends string, Value extends Known | null>(
  values: readonly Known[],
  description: string,
  of: (source: Source) => Value = unsourced,
) {
  const views: readonly AnyView[] = []
  return { schema: schemas.orNull(schemas.oneOf(values, description)), views, of }
}

/** A list of values, all with the same schema. */
export function valuesOf<Source, Value>(
  items: JsonSchema,
  description: string,
  of: (source: Source) => readonly Value[],
): Field<Source, readonly Value[]> {
  return { schema: schemas.list(items, description), views: [], of }
}

/** A list of objects. */
export function listOf<Source, Part, Value>(
  each: Answer<Part, Value>,
  description: string,
  of: (source: Source) => readonly Part[] = unsourced,
): Field<Source, readonly Value[]> {
  return {
    schema: schemas.list(each.schema, description),
    views: each.views,
    of: derive(of, (parts) => parts.map((part) => each.render(part))),
  }
}

/** An object within the object. */
export function nested<Source, Part, Value>(
  inner: Answer<Part, Value>,
  description: string,
  of: (source: Source) => Part = unsourced,
): Field<Source, Value> {
  return {
    schema: { ...inner.schema, description },
    views: inner.views,
    of: derive(of, (part) => inner.render(part)),
  }
}

export function nestedOrNull<Source, Part, Value>(
  inner: Answer<Part, Value>,
  description: string,
  of: (source: Source) => Part | null = unsourced,
): Field<Source, Value | null> {
  return {
    schema: schemas.orNull({ ...inner.schema, description }),
    views: inner.views,
    of: derive(of, (part) => (part === null ? null : inner.render(part))),
  }
}

/** Keeps a key without a source recognizable. */
function derive<Source, Part, Value>(
  of: (source: Source) => Part,
  render: (part: Part) => Value,
): (source: Source) => Value {
  return of === unsourced ? unsourced : (source) => render(of(source))
}
