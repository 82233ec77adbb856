import { describeOutput, listCommands, loadCommand } from '../../fixtures/program/commands.ts'
import { failure } from '../../src/cli/errors.ts'
import { expectationShapes } from '../../src/tools/scenario/expectation-shapes.ts'
import { bareSteps, scenarioSchema, stepShapes } from '../../src/tools/scenario/step-shapes.ts'
import { type JsonSchema, nameOf } from '../../src/wire/json-schema.ts'
import { schemaOfShape } from '../../src/wire/schema-of-shape.ts'
import { definitionsOf } from '../../src/wire/view.ts'

/** @returns docs/reference/json-output.md */
export async function renderJsonOutput(): Promise<string> {
  const outputs = await Promise.all(
    listCommands().map(async (id) => [id, await describeOutput(await loadCommand(id))] as const),
  )
  const commands = outputs.map(([id, { schema, isLines, note }]) => {
    const what = `${typeOf(schema)}${isLines ? ', one per line' : ''}`
    const prints = note === undefined ? what : `${what}. ${note}`
    return `| \`${id.replaceAll(':', ' ')}\` | ${prints} |`
  })
  const views = outputs.flatMap(([, output]) => output.views)
  const objects = Object.entries(definitionsOf([...failure.parts, ...views])).sort(
    ([one], [other]) => (one < other ? -1 : 1),
  )
  return `# JSON output of the command line

Made from the commands by \`npm run check:help\`. Tests check the output of every command against these schemas.

**What stays.** With \`--json\`, a command prints JSON to standard output and nothing else there. Keys, their types and their codes stay the same in later versions. New keys, new values of codes and new kinds of checks may be added: ignore what you do not know. Texts for people (\`message\`, \`detail\`, \`difference\`, \`reason\`) may change.

A failed command prints \`{"error": …}\` with an [Error](#error); see [Errors](errors.md) for the codes. A command that prints one object per line prints the error as one line, too. \`store backup -\` writes the backup to standard output and takes no \`--json\`.

Ids are UUIDs unless a table says otherwise. Times are in ISO 8601 with a time zone. Amounts are decimal text with two digits after the point.

## Commands

| Command | Prints |
|---|---|
${commands.join('\n')}

## Objects

${objects.map(([name, object]) => renderObject(name, object)).join('\n')}`
}

function renderObject(
  name: string,
  { properties = {}, required = [], description }: JsonSchema,
): string {
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

/** @returns docs/reference/scenarios.md */
export function renderScenarios(): string {
  const { given = {} } = scenarioSchema().properties ?? {}
  const { limits = {}, webhooks = {} } = given.properties ?? {}
  const sections = Object.entries(stepShapes)
    .filter(([name]) => name !== 'expect')
    .map(([name, shape]) => renderSection(`\`${name}\``, schemaOfShape(shape)))
  const expectations = Object.entries(expectationShapes).map(([name, shape]) =>
    renderSection(`\`expect\`: ${name}`, schemaOfShape(shape)),
  )
  const bare = bareSteps.map((name) => `\`- ${name}\``).join(', ')
  return `# Scenario files

Made from the shapes in \`src/tools/scenario/\` by \`npm run check:help\`. [Scenarios](../start/scenarios.md) explains how to write one. \`coopshare scenario schema\` prints these shapes as a JSON Schema.

A file is one YAML document with \`scenario\` (its name), \`given\` (how the service starts) and \`steps\`, which run in the order of the file. A step has one key. These steps need no value: ${bare}.

**Order of events.** Before each step except \`await\`, the service does all work that is due by its clock. Therefore each run of a scenario has the same results. Only the steps \`advance\` and \`to\` move the clock. The service ignores variables such as \`COOPSHARE_DATABASE_URL\`, so it never touches your own store.

**Names.** \`as: NAME\` names an order, and \`capture\` names parts of an answer. Later steps refer to these parts as \`\${NAME}\` (in quotes where YAML would interpret the braces), and to orders by name alone. These names are known from the start: \`$COOPSHARE_URL\`, \`$COOPSHARE_CLIENT_ID\`, \`$COOPSHARE_CLIENT_SECRET\` (if the fixtures give it), \`$COOPSHARE_SIGNING_SECRET\` (with \`given.webhooks\`), and \`$APP\` (with \`--app\`).

## \`given\`

${renderKeys(given)}
### \`given.limits\`

${renderKeys(limits)}
### \`given.webhooks\`

${renderKeys(webhooks)}
## Steps

${sections.join('\n')}
## Expectations

The first key of \`expect\` names what is checked. Only the keys that you write are compared.

${expectations.join('\n')}`
}

function renderSection(title: string, schema: JsonSchema): string {
  const { description = '' } = schema
  const object = optionsOf(schema).find(({ properties }) => properties)
  const short = optionsOf(schema).filter(({ properties, const: constant, type }) => {
    return !properties && constant === undefined && type !== 'null'
  })
  const alone = short.map((option) => scenarioMeaningOf(option)).join(' ')
  const isShort = short.length > 0 && object !== undefined
  return [
    `### ${title}`,
    '',
    [description, ...(isShort ? [`Short form: ${alone}`] : [])].join(' '),
    '',
    ...(object && Object.keys(object.properties ?? {}).length > 0 ? [renderKeys(object)] : []),
  ].join('\n')
}

function renderKeys(schema: JsonSchema): string {
  const { properties = {}, required = [] } = schema
  const rows = Object.entries(properties).map(([key, inner]) => {
    const needed = required.includes(key) ? 'Required. ' : ''
    return `| \`${key}\` | ${scenarioTypeOf(inner)} | ${needed}${scenarioMeaningOf(inner)} |`
  })
  return ['| Key | Type | Meaning |', '|---|---|---|', ...rows, ''].join('\n')
}

function scenarioMeaningOf(schema: JsonSchema): string {
  const values = optionsOf(schema).flatMap((option) => option.enum ?? [])
  const listed = values.map((each) => `\`${each}\``).join(', ')
  return [schema.description ?? '', ...(listed ? [`One of ${listed}.`] : [])]
    .filter(Boolean)
    .join(' ')
}

function optionsOf(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf ? schema.anyOf.flatMap(optionsOf) : [schema]
}

const scenarioFormats: Readonly<Record<string, string>> = { 'date-time': 'instant', uuid: 'id' }
const scenarioTypes: Readonly<Record<string, string>> = {
  integer: 'integer',
  number: 'amount',
  boolean: 'true or false',
  object: 'object',
}

function scenarioTypeOf(schema: JsonSchema): string {
  const names = optionsOf(schema).map(({ type = '', format = '', pattern, items }) => {
    if (items) return `list of ${scenarioTypeOf(items)}s`
    if (type === 'string')
      return scenarioFormats[format] ?? (pattern === undefined ? 'text' : 'time')
    return scenarioTypes[type] ?? 'any value'
  })
  return [...new Set(names)].join(' or ')
}
