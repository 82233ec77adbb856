import { objects, outputs } from '../src/cli/json-output/outputs.ts'
import { type JsonSchema, nameOf } from '../src/wire/json-schema.ts'

/** @returns docs/reference/json-output.md */
export function renderJsonOutput(): string {
  const commands = Object.entries(outputs).map(([id, { schema, isLines, note }]) => {
    const what = `${typeOf(schema)}${isLines ? ', one per line' : ''}`
    const prints = note === undefined ? what : `${what}. ${note}`
    return `| \`${id.replaceAll(':', ' ')}\` | ${prints} |`
  })
  const names = Object.keys(objects).sort()
  return `# JSON output of the command line

Made from the JSON Schemas in \`src/cli/json-output/\` and \`src/operations/outputs/\` by \`npm run check:help\`. Tests hold the output of every command against them.

**What stays.** With \`--json\`, a command prints JSON to standard output and nothing else there. Keys, their types and the codes in them stay the same in later versions. New keys, new values of codes and new kinds of checks may be added: ignore what you do not know. Texts for people (\`message\`, \`detail\`, \`difference\`, \`reason\`) may change.

A failed command prints \`{"error": …}\` with an [Error](#error); see [Errors](errors.md) for the codes. A command that prints one object per line also prints the error on a line. \`store backup -\` writes the backup to standard output and takes no \`--json\`.

Ids are UUIDs if nothing else is said. Times are in ISO 8601 with a time zone. Amounts are decimal text with two digits after the point.

## Commands

| Command | Prints |
|---|---|
${commands.join('\n')}

## Objects

${names.map(renderObject).join('\n')}`
}

function renderObject(name: string): string {
  const { properties = {}, required = [], description } = objects[name] ?? {}
  const rows = Object.entries(properties).map(([key, schema]) => {
    const optional = required.includes(key) ? '' : 'Optional. '
    return `| \`${key}\` | ${typeOf(schema)} | ${optional}${meaningOf(schema)} |`
  })
  return [
    `### ${name}`,
    '',
    ...(description ? [description, ''] : []),
    '| Key | Type | Meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function meaningOf(schema: JsonSchema): string {
  const values = valuesOf(schema)
  const listed =
    values.length > 0 ? ` One of ${values.map((each) => `\`${each}\``).join(', ')}.` : ''
  return `${schema.description ?? ''}${listed}`
}

function valuesOf({ enum: values, items, anyOf }: JsonSchema): readonly string[] {
  return values ?? items?.enum ?? anyOf?.find((each) => each.enum)?.enum ?? []
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'id',
  'date-time': 'time',
  date: 'date',
}

const types: Readonly<Record<string, string>> = {
  integer: 'integer',
  boolean: 'true or false',
  null: 'null',
  number: 'number',
  object: 'object',
}

function typeOf(schema: JsonSchema): string {
  const { $ref, anyOf, type = '', items, additionalProperties, format = '', pattern } = schema
  if ($ref !== undefined) return linkTo(nameOf($ref))
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (items) return `list of ${items.anyOf ? `(${typeOf(items)})` : typeOf(items)}`
  if (additionalProperties) return `object of ${typeOf(additionalProperties)}`
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (type === 'string') return formats[format] ?? (pattern === undefined ? 'text' : 'amount')
  return types[type] ?? 'any'
}

function linkTo(name: string): string {
  return `[${name}](#${name.toLowerCase().replaceAll(' ', '-')})`
}
