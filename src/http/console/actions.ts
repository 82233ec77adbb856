import { LRUCache } from 'lru-cache'
import { unlikelyChange } from '../../domain/cooperatives/cooperative.ts'
import { parseMoney } from '../../domain/money.ts'
import { hasRole } from '../../domain/operators/operator.ts'
import { Problem } from '../../domain/problem.ts'
import { quoteWord } from '../../domain/text.ts'
import { setTimeout } from '../../machine/time.ts'
import {
  type Input,
  inputShapeOf,
  isOperationName,
  type OperationName,
  type Output,
} from '../../operations/operations.ts'
import { minimumRole } from '../../operations/roles.ts'
import type { JsonSchema } from '../../wire/json-schema.ts'
import { schemaOfShape } from '../../wire/schema-of-shape.ts'
import { type Html, html, ownPath } from './html.ts'
import { confirmationPage, resultPage } from './operation-pages.ts'
import {
  type Column,
  commandLine,
  csrfField,
  money,
  type Page,
  percentIn,
  type Visit,
} from './page.ts'
import { type LabelledOperation, labelOf, type TextName } from './texts.ts'

export interface Action<Name extends LabelledOperation = LabelledOperation> {
  readonly operation: Name
  /** The text of the button, if it is not the name of the operation. */
  readonly label?: TextName | { readonly text: string }
  /** What follows the name of the operation in the command that does the same. */
  readonly words?: readonly string[]
  /** Parts of the input that the page knows. */
  readonly input?: Partial<Input<Name>>
  /** Fields for what the operator types; each name is the key of the input. */
  readonly fields?: Html | undefined
  readonly tone?: 'danger' | 'quiet' | undefined
  /** Where to go afterwards. Default: the page with the button. */
  readonly back?: string
}

/** A button that runs one operation, with the command that does the same; empty if the role may not run it. */
export function button<Name extends LabelledOperation>(visit: Visit, action: Action<Name>): Html {
  const { operation, label, words = [], input = {}, fields, tone } = action
  const { say, csrf, service, address } = visit
  if (!mayRun(visit, operation)) return html``
  // The words of a command have hyphens, and one command is named after its noun.
  const name = operation === 'token.issue' ? 'token' : operation.replaceAll('_', '-')
  const line = command(...name.split('.'), ...words)
  const back = action.back ?? address.pathname
  return html`<form method="post" action="/actions/${operation}" class="row">
${csrfField(csrf)}<input type="hidden" name="once" value="${service.random.traceId()}"><input type="hidden" name="back" value="${back}"><input type="hidden" name="command" value="${line}">
${Object.entries(input).map(([key, value]) => html`<input type="hidden" name="input.${key}" value="${String(value)}">`)}
${fields}<button${tone && html` class="${tone}"`}>${typeof label === 'object' ? label.text : label ? say(label) : labelOf(say, operation)}</button>
${commandLine(visit, line)}</form>`
}

/** Buttons that a role may not use are not shown. */
export function mayRun({ operator }: Visit, operation: OperationName): boolean {
  return hasRole(operator, minimumRole(operation))
}

/** A column of buttons, if the role may use them. */
export function actionColumn<Shown>(
  visit: Visit,
  operation: OperationName,
  cell: (row: Shown) => Html | '',
): readonly Column<Shown>[] {
  return mayRun(visit, operation) ? [{ head: 'actions', cell }] : []
}

/** The reason to ask on a separate page before an operation runs; undefined if there is none. */
type Ask = (visit: Visit, form: URLSearchParams) => Promise<string | undefined>

const askAlways: Ask = async ({ say }) => say('confirmHint')
const askInProduction: Ask = async ({ say, settings }) =>
  isProduction(settings) ? say('confirmHint') : undefined

const questions: Readonly<Partial<Record<OperationName, Ask>>> = {
  'investor.erase': askAlways,
  'organization.delete': askAlways,
  'purchase.settle': askInProduction,
  'purchase.reject': askInProduction,
  'purchase.cancel': askInProduction,
  'purchase.confirm': askInProduction,
  'client.revoke_secret': askInProduction,
  'webhook.remove': askInProduction,
  'key.revoke': askInProduction,
  'webhook.rotate_secret': askAboutOverlap,
  'cooperative.set_price': describePrice,
  'event.purge': describePurge,
  'collection.cancel': async ({ say }, form) =>
    say(form.get('input.not_taken') === 'true' ? 'cancelExported' : 'cancelCreated'),
  'cooperative.set_creditor': askInProduction,
  'store.rekey': async ({ say }) => say('rekeyQuestion'),
}

/** Operations whose answer the operator needs: a secret, a report, or a preview of changes. */
export const operationsWithResultPage: ReadonlySet<OperationName> = new Set<OperationName>([
  'client.create',
  'client.rotate_secret',
  'webhook.register',
  'webhook.rotate_secret',
  'webhook.test',
  'webhook.doctor',
  'operator.create',
  'operator.rotate_token',
  'token.issue',
  'event.replay',
  'event.purge',
  'store.rekey',
  'store.check',
  'store.compact',
  'audit.verify',
  'investor.erase',
])

/** The fields of a form, and its file. */
export interface Form extends URLSearchParams {
  file?: File
}

/** Where to go next, or a page. */
export type Reply = { readonly goTo: string } | Page

/** A form that is sent again within this time, such as by a second click, gets the same answer. */
const repeatedMs = 10_000

/**
 * The forms that were sent to this instance. A page that is loaded again sends its form again, which would create
 * another client with another secret.
 */
export class SentForms {
  readonly #replies = new LRUCache<string, { reply?: Promise<Reply> }>({ max: 10_000 })

  /** A form may be sent again if its operation was refused, or if its answer is another question. */
  async once(visit: Visit, form: URLSearchParams, work: () => Promise<Reply>): Promise<Reply> {
    const id = form.get('once')
    if (id === null) return work()
    const key = `${visit.csrf} ${id}`
    const sent = this.#replies.get(key)
    if (sent?.reply) return sent.reply
    if (sent) {
      const { say } = visit
      const body = html`<p class="note" role="status">${say('repeated')}</p>
<p><a href="${ownPath(form.get('back'))}">${say('back')}</a></p>`
      return { title: say('repeatedTitle'), body }
    }
    const reply = work()
    const entry: { reply?: Promise<Reply> } = { reply }
    this.#replies.set(key, entry)
    // The reply may contain a secret.
    setTimeout(() => delete entry.reply, repeatedMs).unref()
    const forget = () => this.#replies.delete(key)
    reply.then((page) => 'isQuestion' in page && forget(), forget)
    return reply
  }
}

export async function act(
  visit: Visit,
  name: string,
  form: URLSearchParams,
  sent: SentForms,
): Promise<Reply> {
  if (!isOperationName(name)) throw new Problem('NOT_FOUND', 'There is no such operation.')
  visit.event.context.operation = name
  const back = ownPath(form.get('back'))
  const ask = form.get('confirmed') === 'yes' ? undefined : questions[name]
  if (ask) {
    // The question may show what only some roles see.
    await visit.service.requireRole(name, readInput(form, name))
    const why = await ask(visit, form)
    if (why !== undefined) return confirmationPage(visit, { name, why, form })
  }
  return sent.once(visit, form, async () => {
    // The operation checks its input itself.
    const answer = await visit.service.call(name, readInput(form, name) as never)
    const commands = form.get('command') ?? []
    const isDryRun = form.get('input.dry_run') === 'true'
    if (operationsWithResultPage.has(name))
      return { ...resultPage(visit, { name, back, answer, isDryRun }), commands }
    const place = new URL(pageOfNew(name, answer) ?? back, visit.address)
    const isProposed = Boolean(Object(answer).proposal)
    place.searchParams.set(isProposed ? 'onlyProposed' : 'done', name)
    return { goTo: `${place.pathname}${place.search}` }
  })
}

/** The page of a record that was just created. */
function pageOfNew(name: OperationName, answer: unknown): string | undefined {
  if (name === 'cooperative.create') return `/catalogue/${(answer as Output<typeof name>).id}`
  if (name !== 'organization.create') return undefined
  return `/partners/${(answer as Output<typeof name>).organization_id}`
}

/** Without an overlap, receivers refuse events until they know the new secret. */
async function askAboutOverlap({ say, settings }: Visit, form: URLSearchParams) {
  const isAbrupt = !form.get('input.overlap')
  return isAbrupt && isProduction(settings) ? say('rotateHint') : undefined
}

async function describePurge(visit: Visit, form: URLSearchParams): Promise<string> {
  const input = { ...readInput(form, 'event.purge'), dry_run: true }
  const { events, deliveries } = await visit.service.call('event.purge', input as never)
  return visit.say('purgeQuestion', { events, deliveries })
}

async function describePrice(visit: Visit, form: URLSearchParams): Promise<string | undefined> {
  const { share_price: price = '', cooperative = '' } = readInput(
    form,
    'cooperative.set_price',
  ) as Record<string, string>
  const shown = await visit.service.call('cooperative.show', { cooperative })
  const { name, share_price: before, share_price_currency: currency } = shown
  const change = unlikelyChange(before, price)
  if (!change) return undefined
  return visit.say('unlikelyPrice', {
    name,
    before: money(before, currency, visit),
    price: money(String(parseMoney(price)), currency, visit),
    change: percentIn(visit, Number.parseFloat(change)),
  })
}

export function isProduction({ environment }: Visit['settings']): boolean {
  return environment === 'production'
}

/**
 * Turns the fields of a form into the input of an operation, which checks it. A field has the type
 * that the operation describes. Empty fields are left out, or null if they had a value that can be
 * removed. Unchanged fields of the form are left out, so that they do not undo changes by somebody
 * else.
 */
export function readInput(
  form: URLSearchParams,
  operation: OperationName,
): Record<string, unknown> {
  const { properties = {} } = schemaOfShape(inputShapeOf(operation))
  const input = new Map<string, unknown>()
  for (const [key, sent] of form) {
    const [, name] = /^input\.(\w+)$/.exec(key) ?? []
    const before = name && form.get(`was.${name}`)
    if (name === undefined || sent === before) continue
    const types = Object.hasOwn(properties, name) ? typesOf(properties[name]) : []
    const value = sent.replaceAll('\r\n', '\n')
    if (value === '') {
      if (before && types.includes('null')) input.set(name, null)
    } else if (types.includes('array')) {
      const others = input.get(name)
      input.set(name, [...(Array.isArray(others) ? others : []), value])
    } else input.set(name, readValue(types, value))
  }
  return Object.fromEntries(input)
}

function typesOf({ type, anyOf = [] }: JsonSchema = {}): readonly string[] {
  return [...(type === undefined ? [] : [type]), ...anyOf.flatMap(typesOf)]
}

/** An amount may be a text or a number; as a text, it stays exact. */
function readValue(types: readonly string[], value: string): unknown {
  if (types.includes('boolean')) return value === 'true'
  if (types.includes('object')) {
    const [, latitude, longitude] = /^\s*([-+\d.]+)\s*,\s*([-+\d.]+)\s*$/.exec(value) ?? []
    // The operation refuses any other text.
    if (latitude === undefined) return value
    return { latitude: Number(latitude), longitude: Number(longitude) }
  }
  const isNumber = types.includes('number') || types.includes('integer')
  if (!isNumber) return value
  return types.includes('string') ? withPoint(value) : Number(withPoint(value))
}

/** A German page shows amounts with a comma. Three digits after it could also be thousands. */
function withPoint(text: string): string {
  return text.replace(/^(\d+),(\d{1,2})$/, '$1.$2')
}

/** Parses JSON that this console put into a form. */
export function parseSent(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('MALFORMED_REQUEST_BODY', 'The form was changed. Begin again.')
  }
}

/** The words of a command, quoted where a shell needs it. */
export function command(...words: readonly string[]): string {
  return words.map(quoteWord).join(' ')
}
