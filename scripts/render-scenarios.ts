import type { JsonSchema } from '../src/wire/json-schema.ts'
import { expectationShapes } from '../src/wire/scenario/expectations.ts'
import { scenarioSchema } from '../src/wire/scenario/scenario.ts'
import { bareSteps, stepShapes } from '../src/wire/scenario/steps.ts'
import { schemaOfShape } from '../src/wire/schema-of-shape.ts'

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

Made from the shapes in \`src/wire/scenario/\` by \`npm run check:help\`. [Scenarios](../start/scenarios.md) explains how to write one. \`coopshare scenario schema\` prints the same as a JSON Schema.

A file is one YAML document with \`scenario\` (its name), \`given\` (how the service starts) and \`steps\`, which happen in this order. A step has one key. These need no value: ${bare}.

**Order of events.** Before each step but \`await\`, the service does what is due by its clock, so that a scenario finds the same in each run. The clock moves with \`advance\` and \`to\` only. The service takes no settings from variables such as \`COOPSHARE_DATABASE_URL\`, so that it never touches a store of yours.

**Names.** \`as: NAME\` names an order, and \`capture\` names parts of an answer. Later steps use them as \`\${NAME}\`, in quotes where YAML has braces, and orders by their name alone. Known from the start are \`$COOPSHARE_URL\`, \`$COOPSHARE_CLIENT_ID\`, \`$COOPSHARE_CLIENT_SECRET\` (if the fixtures give it), \`$COOPSHARE_SIGNING_SECRET\` (with \`given.webhooks\`), and \`$APP\` (with \`--app\`).

## \`given\`

${renderKeys(given)}
### \`given.limits\`

${renderKeys(limits)}
### \`given.webhooks\`

${renderKeys(webhooks)}
## Steps

${sections.join('\n')}
## Expectations

The first key of \`expect\` says what is looked at. Only the keys that you write are compared.

${expectations.join('\n')}`
}

function renderSection(title: string, schema: JsonSchema): string {
  const { description = '' } = schema
  const object = optionsOf(schema).find(({ properties }) => properties)
  const short = optionsOf(schema).filter(({ properties, const: constant, type }) => {
    return !properties && constant === undefined && type !== 'null'
  })
  const alone = short.map((option) => meaningOf(option)).join(' ')
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
    return `| \`${key}\` | ${typeOf(inner)} | ${needed}${meaningOf(inner)} |`
  })
  return ['| Key | Type | Meaning |', '|---|---|---|', ...rows, ''].join('\n')
}

function meaningOf(schema: JsonSchema): string {
  const values = optionsOf(schema).flatMap((option) => option.enum ?? [])
  const listed = values.map((each) => `\`${each}\``).join(', ')
  return [schema.description ?? '', ...(listed ? [`One of ${listed}.`] : [])]
    .filter(Boolean)
    .join(' ')
}

function optionsOf(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf ? schema.anyOf.flatMap(optionsOf) : [schema]
}

const formats: Readonly<Record<string, string>> = { 'date-time': 'instant', uuid: 'id' }
const types: Readonly<Record<string, string>> = {
  integer: 'integer',
  number: 'amount',
  boolean: 'true or false',
  object: 'object',
}

function typeOf(schema: JsonSchema): string {
  const names = optionsOf(schema).map(({ type = '', format = '', pattern, items }) => {
    if (items) return `list of ${typeOf(items)}s`
    if (type === 'string') return formats[format] ?? (pattern === undefined ? 'text' : 'time')
    return types[type] ?? 'any value'
  })
  return [...new Set(names)].join(' or ')
}
