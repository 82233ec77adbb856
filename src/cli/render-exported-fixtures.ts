import type { RenderedPart } from '../wire/exported-fixtures.ts'
import { list } from '../wire/json-schema.ts'
import { unchanged } from '../wire/view.ts'
import { renderYaml } from './files/yaml.ts'

/** Its own reference describes such a file. */
export const fixtureFile = unchanged<unknown>('Fixture file', {
  type: 'object',
  description: 'See [Fixture files](fixtures.md).',
  properties: {
    organizations: list({ type: 'object' }, 'Organizations with clients, webhooks and investors.'),
    cooperatives: list({ type: 'object' }, 'Cooperatives with their images.'),
  },
  required: ['organizations', 'cooperatives'],
})

interface Form {
  readonly organizations: Bounds
  readonly investors: Bounds
  readonly cooperatives: Bounds
  organization(value: unknown): string
  someInvestors(value: unknown): string
  cooperative(value: unknown): string
  /** Stands between two items of a list. */
  readonly comma: string
}

/** Lines around a list; an empty text is not printed. */
interface Bounds {
  readonly begin: string
  readonly end: string
  readonly none: string
}

const yaml: Form = {
  organizations: { begin: 'organizations:', end: '', none: 'organizations: []' },
  investors: { begin: '    investors:', end: '', none: '    investors: []' },
  cooperatives: { begin: 'cooperatives:', end: '', none: 'cooperatives: []' },
  organization: (value) => yamlLines({ organizations: [value] }, 1),
  someInvestors: (investors) => yamlLines({ organizations: [{ investors }] }, 2),
  cooperative: (value) => yamlLines({ cooperatives: [value] }, 1),
  comma: '',
}

const json: Form = {
  organizations: {
    begin: '{\n  "organizations": [',
    end: '  ]',
    none: '{\n  "organizations": []',
  },
  investors: {
    begin: '      "investors": [',
    end: '      ]\n    }',
    none: '      "investors": []\n    }',
  },
  cooperatives: { begin: '  "cooperatives": [', end: '  ]\n}', none: '  "cooperatives": []\n}' },
  organization: (value) => jsonLines({ organizations: [value] }, { before: 2, after: 3 }),
  someInvestors: (investors) =>
    jsonLines({ organizations: [{ investors }] }, { before: 4, after: 4 }),
  cooperative: (value) => jsonLines({ cooperatives: [value] }, { before: 2, after: 2 }),
  comma: ',',
}

const forms = { yaml, json }

/** Yields the same text that one document with everything would have. */
export async function* renderExport(
  parts: AsyncIterable<readonly RenderedPart[]>,
  name: keyof typeof forms,
): AsyncGenerator<string> {
  const form = forms[name]
  // A part is printed once it is known whether a comma follows.
  let last = ''
  for await (const { text, isNext } of piecesOf(parts, form)) {
    if (text === '') continue
    if (last !== '') yield `${last}${isNext ? form.comma : ''}`
    last = text
  }
  yield last
}

interface Piece {
  readonly text: string
  /** Whether it follows another item of the same list or object. */
  readonly isNext: boolean
}

const first = (text: string): Piece => ({ text, isNext: false })
const next = (text: string): Piece => ({ text, isNext: true })

async function* piecesOf(
  parts: AsyncIterable<readonly RenderedPart[]>,
  form: Form,
): AsyncGenerator<Piece> {
  const seen = { organizations: 0, investors: 0, cooperatives: 0 }
  function* leaveOrganization() {
    if (seen.organizations === 0) return
    yield seen.investors === 0 ? next(form.investors.none) : first(form.investors.end)
  }
  function* leaveOrganizations() {
    yield* leaveOrganization()
    yield first(seen.organizations === 0 ? form.organizations.none : form.organizations.end)
  }
  for await (const batch of parts) {
    for (const part of batch) {
      if ('organization' in part) {
        if (seen.organizations === 0) yield first(form.organizations.begin)
        yield* leaveOrganization()
        yield { text: form.organization(part.organization), isNext: seen.organizations > 0 }
        seen.organizations += 1
        seen.investors = 0
      } else if ('investors' in part) {
        if (seen.investors === 0) yield next(form.investors.begin)
        yield { text: form.someInvestors(part.investors), isNext: seen.investors > 0 }
        seen.investors += part.investors.length
      } else {
        if (seen.cooperatives === 0) {
          yield* leaveOrganizations()
          yield next(form.cooperatives.begin)
        }
        yield { text: form.cooperative(part.cooperative), isNext: seen.cooperatives > 0 }
        seen.cooperatives += 1
      }
    }
  }
  if (seen.cooperatives > 0) return yield first(form.cooperatives.end)
  yield* leaveOrganizations()
  yield next(form.cooperatives.none)
}

function yamlLines(value: unknown, before: number): string {
  return renderYaml(value).split('\n').slice(before).join('\n')
}

function jsonLines(
  value: unknown,
  { before, after }: { readonly before: number; readonly after: number },
): string {
  return JSON.stringify(value, undefined, 2).split('\n').slice(before, -after).join('\n')
}
