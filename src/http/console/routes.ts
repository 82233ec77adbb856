import { getRouterParam, type H3Event, type H3Plugin, HTTPResponse, type Middleware } from 'h3'
import type { ActingOperator } from '../../domain/operators/operator.ts'
import { signInPath } from '../../domain/operators/sign-in-link.ts'
import { Problem } from '../../domain/problem.ts'
import { parseUrl, readSecret } from '../../domain/text.ts'
import { type Caller, ifWritable, type ServiceForOperator } from '../../operations/run-audited.ts'
import type { Logger } from '../../ports/logger.ts'
import { toWireProblem } from '../../wire/problems.ts'
import { notFound } from '../app-config.ts'
import { representationOf, sendCacheable } from '../cacheable-response.ts'
import { logoPaths } from '../logo.ts'
import { publicCodeOf, slugOf, statusOf } from '../problem-details.ts'
import { hasEncodedPath, readParameter, requireEncodedPath } from '../query.ts'
import { readFormFields } from '../read-body.ts'
import { type RequestFeed, readWait } from '../request-feed.ts'
import type { Metrics } from '../request-metrics.ts'
import { act, type Form, type Reply, SentForms } from './actions.ts'
import { script, styles } from './assets.ts'
import { exportAudit, showAudit } from './audit.ts'
import {
  exportCatalogue,
  importCatalogue,
  listCatalogue,
  showCooperative,
  showPicture,
  uploadPicture,
} from './catalogue.ts'
import { answerAsBank, downloadFile, showCollection } from './collection.ts'
import { listEvents, showEvent } from './events.ts'
import { showFound, suggest } from './found.ts'
import { type Files, type Html, html, ownPath } from './html.ts'
import { exportInvestor, listInvestors, showInvestor } from './investors.ts'
import { messageIn } from './messages.ts'
import { showOrder } from './order.ts'
import { decideSelected } from './order-decisions.ts'
import { Outcomes } from './order-outcomes.ts'
import { exportOrders, showSums } from './order-sums.ts'
import { listOrders } from './orders.ts'
import { type Context, type Page, renderPage, type Settings, type Visit } from './page.ts'
import { listPartners, showPartner } from './partners.ts'
import { showReport } from './payment.ts'
import { collectDue, showPayments } from './payments.ts'
import {
  keepLanguage,
  readLanguage,
  requireOwnCsrf,
  requireOwnForm,
  requireOwnHost,
  requireOwnVisit,
  type SessionOptions,
  Sessions,
  type SignedIn,
} from './session.ts'
import {
  importStatement,
  listStatements,
  PreviewedStatements,
  showStatement,
} from './statements.ts'
import { type Build, followLive, showLive, showSystem } from './system.ts'
import { languageOf, sayIn } from './texts.ts'
import { showToday } from './today.ts'

interface ConsoleOptions extends SessionOptions {
  readonly settings: Settings
  /** The service as an operator may use it. */
  serviceFor(caller: Caller): ServiceForOperator
  readonly logger: Logger
  readonly feed: RequestFeed
  readonly build: Build
  readonly metrics: Pick<Metrics, 'lastBackupMs'>
  readonly files: Files
  /** Counts wrong tokens together with wrong tokens of commands. */
  readonly limitWrongTokens: Middleware
}

/** What this instance remembers of forms. */
class Memory {
  readonly sent = new SentForms()
  readonly outcomes = new Outcomes()
  readonly previewed = new PreviewedStatements()
}

type Show = (
  visit: Visit,
  id: string,
  options: ConsoleOptions & { readonly memory: Memory },
) => Promise<Page | HTTPResponse>

const pages: Readonly<Record<string, Show>> = {
  '/': showToday,
  '/orders': (visit, _id, { memory }) => listOrders(visit, memory.outcomes),
  '/orders/sums': showSums,
  '/orders/:id': showOrder,
  '/payments': showPayments,
  '/payment-report': showReport,
  '/payments/:id': showCollection,
  '/statements': listStatements,
  '/statements/:id': showStatement,
  '/find': showFound,
  '/investors': listInvestors,
  '/investors/:id': showInvestor,
  '/audit': showAudit,
  '/partners': listPartners,
  '/partners/:id': showPartner,
  '/catalogue': listCatalogue,
  '/catalogue.xlsx': exportCatalogue,
  '/catalogue/:id': showCooperative,
  '/pictures/:id': showPicture,
  '/events': listEvents,
  '/events/:id': showEvent,
  '/live': showLive,
  '/live/requests': async (visit, _id, { feed }) =>
    json(await followLive(visit, feed, readWait(visit.event))),
  '/system': (visit, _id, options) => showSystem(visit, options),
}

/** The paths of all pages, and of their data and files. */
export const pagePaths: readonly string[] = Object.keys(pages)

function json(answer: unknown): HTTPResponse {
  return new HTTPResponse(JSON.stringify(answer), {
    headers: { 'content-type': 'application/json' },
  })
}

type Decide = (visit: Visit, form: Form, memory: Memory) => Promise<Reply | HTTPResponse>

/**
 * The forms that do more than run one operation. A download is a form if it contains personal data or has
 * an entry in the audit, because a link on another page must not start it.
 */
const forms: Readonly<Record<string, Decide>> = {
  '/orders': decideSelected,
  '/orders.csv': exportOrders,
  '/audit.ndjson': exportAudit,
  '/suggestions': suggest,
  '/payments': collectDue,
  '/payments/:id/file': (visit) => downloadFile(visit, idIn(visit.event)),
  '/payments/:id/bank': (visit, form) => answerAsBank(visit, idIn(visit.event), form),
  '/statements': importStatement,
  '/investors/:id/export': (visit, form) => exportInvestor(visit, idIn(visit.event), form),
  '/catalogue': forImporters(importCatalogue),
  '/pictures': forImporters(uploadPicture),
}

/** A file is read only for operators who may import it. */
function forImporters(decide: Decide): Decide {
  return async (visit, form, memory) => {
    await visit.service.requireRole('cooperative.import', {})
    return decide(visit, form, memory)
  }
}

/** The first parts of the paths of the console, such as `/orders`. */
const firstParts = new Set(
  ['/actions', '/console.css', '/console.js', '/language', signInPath, '/sign-out'].concat(
    logoPaths,
    Object.keys({ ...pages, ...forms }).map(firstPartOf),
  ),
)

/** A path without a first part stays whole, so that `//metrics` does not count as a page below `/`. */
function firstPartOf(path: string): string {
  return /^\/[^/]+/.exec(path)?.[0] ?? path
}

/** A request of a browser. Programs send a token, or ask for JSON, and get the answers for programs. */
export function isForConsole({ req, url }: Pick<H3Event, 'req' | 'url'>): boolean {
  if (req.headers.has('authorization') || !firstParts.has(firstPartOf(url.pathname))) return false
  const accepted = req.headers.get('accept') ?? '*/*'
  return !/\bjson\b/.test(accepted) || accepted.includes('text/html')
}

/** Whether a browser asks for an address that does not exist, such as after a typing error. */
function isLost({ req, context }: H3Event): boolean {
  if (req.method !== 'GET' || context.matchedRoute || req.headers.has('authorization')) return false
  return (req.headers.get('accept') ?? '').includes('text/html')
}

async function showNothing({ event }: Pick<Visit, 'event'>): Promise<Page> {
  requireEncodedPath(event)
  throw notFound()
}

/** These routes come before the check of tokens, so that a browser gets only pages. */
export function consoleRoutes(options: ConsoleOptions): H3Plugin {
  const sessions = new Sessions(options)
  const memory = new Memory()
  const answer = (work: Work) => answerWith({ options, sessions }, work)
  return (app) => {
    const lost = answer(signedIn(showNothing))
    app.use((event, next) => {
      const isBroken = isForConsole(event) && !hasEncodedPath(event)
      return isBroken || isLost(event) ? lost(event) : next()
    })
    for (const [path, rendered, contentType] of assets) {
      const asset = { ...rendered, contentType, cacheControl: 'no-cache' }
      app.get(path, (event) => sendCacheable(event, asset))
    }
    for (const [path, show] of Object.entries(pages)) {
      app.get(
        path,
        answer(signedIn((visit) => show(visit, idIn(visit.event), { ...options, memory }))),
      )
    }
    for (const [path, decide] of Object.entries(forms)) {
      app.post(path, answer(withForm((visit, form) => decide(visit, form, memory))))
    }
    app.post(
      '/actions/:id',
      answer(withForm((visit, form) => act(visit, idIn(visit.event), form, memory.sent))),
    )
    app.get('/actions/:id', () => redirect('/'))
    app.post(signInPath, answer(signIn))
    app.get(signInPath, answer(followLink))
    app.post('/sign-out', answer(signOut))
    app.post('/language', answer(switchLanguage))
  }
}

const assets = [
  ['/console.css', representationOf(styles), 'text/css; charset=utf-8'],
  ['/console.js', representationOf(script), 'text/javascript; charset=utf-8'],
] as const

interface Parts {
  readonly options: ConsoleOptions
  readonly sessions: Sessions
}

interface Request extends Parts {
  readonly event: H3Event
  readonly context: Context
  /** From here on, all answers have the navigation, including refusals. */
  enter(visit: Visit): void
}

type Work = (request: Request) => Promise<Reply | HTTPResponse>

/** Every answer is a page, even a refusal. */
function answerWith(parts: Parts, work: Work) {
  return async (event: H3Event): Promise<HTTPResponse> => {
    if (!isForConsole(event) && !isLost(event)) await showNothing({ event })
    const language = languageOf(readLanguage(event), event.req.headers.get('accept-language') ?? '')
    const say = sayIn(language)
    const { settings, logger, files } = parts.options
    const context: Context = { event, settings, logger, files, language, say, address: event.url }
    let visit: Visit | Context = context
    const enter = (entered: Visit) => {
      visit = entered
      event.context.operator = entered.operator
    }
    setHeaders(event)
    try {
      requireOwnHost(event, parts.options)
      const reply = await work({ ...parts, event, context, enter })
      return respond(reply, visit)
    } catch (error) {
      return respond(errorPage(error, visit), visit)
    }
  }
}

function respond(reply: Reply | HTTPResponse, visit: Visit | Context): HTTPResponse {
  if (reply instanceof HTTPResponse) return reply
  if ('goTo' in reply) return redirect(reply.goTo)
  return new HTTPResponse(renderPage(reply, visit), {
    status: reply.status ?? 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })
}

function redirect(location: string): HTTPResponse {
  return new HTTPResponse(null, { status: 303, headers: { location } })
}

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

function setHeaders({ res }: H3Event): void {
  const headers = {
    'content-security-policy': contentSecurityPolicy,
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    vary: 'Cookie, Accept, Accept-Language, Authorization',
  }
  for (const [name, value] of Object.entries(headers)) res.headers.set(name, value)
}

/** The page at an address, without the report of what was done there. A download is not a page. */
function pageAt(url: URL): string {
  const address = new URL(url)
  for (const name of ['done', 'onlyProposed', 'outcome']) address.searchParams.delete(name)
  return address.pathname.includes('.') ? '/' : ownPath(`${address.pathname}${address.search}`)
}

/** The page whose form was sent. */
function sentFrom({ req }: H3Event): string {
  const page = parseUrl(req.headers.get('referer') ?? '')
  return page ? pageAt(page) : '/'
}

/** What somebody does in the console is in the audit as done there. */
function serviceOf(
  { operator }: Pick<SignedIn, 'operator'>,
  { context: { requestId = '' } }: H3Event,
  { serviceFor }: ConsoleOptions,
): ServiceForOperator {
  return serviceFor({ operator, via: 'console', requestId })
}

/** Without a session, answers with the page to sign in, at the same address. */
function signedIn(show: (visit: Visit) => Promise<Page | HTTPResponse>): Work {
  return async ({ event, sessions, context, enter, options }) => {
    requireOwnVisit(event)
    const found = await sessions.find(event)
    if (!found) return signInPage(context, pageAt(event.url))
    const visit = { ...context, ...found, service: serviceOf(found, event, options) }
    enter(visit)
    return show(visit)
  }
}

function withForm(decide: (visit: Visit, form: Form) => ReturnType<Decide>): Work {
  return async ({ event, sessions, context, enter, options }) => {
    requireOwnForm(event, options)
    const found = await sessions.find(event)
    if (!found) return signInPage(context, sentFrom(event), 'sessionEnded')
    const most = event.url.pathname === '/statements' ? maximumStatementBytes : maximumFormBytes
    const form = await readForm(event, most)
    requireOwnCsrf(found, form.get('csrf'))
    const origin = form.get('back') ?? `${event.url.pathname}${form.get('filter') ?? ''}`
    const service = serviceOf(found, event, options)
    const visit = { ...context, ...found, service, back: ownPath(origin) }
    enter(visit)
    return decide(visit, form)
  }
}

/** The largest form is a catalogue that is sent back for confirmation. */
const maximumFormBytes = 8 * 1024 * 1024
/** A statement of a bank may have tens of thousands of entries. */
const maximumStatementBytes = 32 * 1024 * 1024
/** The maximum for forms that anybody may send. */
const maximumOpenFormBytes = 16 * 1024

async function readForm(event: H3Event, maximumBytes: number): Promise<Form> {
  const form: Form = new URLSearchParams()
  for (const [name, value] of await readFormFields(event, maximumBytes)) {
    if (typeof value === 'string') form.append(name, value)
    else form.file = value
  }
  return form
}

function idIn(event: H3Event): string {
  return getRouterParam(event, 'id', { decode: true }) ?? ''
}

async function signIn(request: Request): Promise<Reply> {
  const { event, sessions, options, context } = request
  requireOwnForm(event, options)
  const form = await readForm(event, maximumOpenFormBytes)
  const token = readSecret(form.get('token') ?? undefined) ?? ''
  const back = ownPath(form.get('back'))
  try {
    await enterAs(request, () => sessions.begin(event, token))
    return { goTo: back }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'UNAUTHENTICATED') throw error
    event.context.problemCode = error.code
    return signInPage(context, back, 'wrongToken')
  }
}

async function enterAs({ event, options }: Request, begin: () => Promise<ActingOperator>) {
  await options.limitWrongTokens(event, async () => {
    const operator = await begin()
    event.context.operator = operator
    // Operators must be able to look at a store that accepts no writes.
    const service = serviceOf({ operator }, event, options)
    if (await ifWritable(() => service.note('sign_in'))) return
    const { operatorId } = operator
    options.logger.warn({ operatorId }, 'a sign-in has no entry in the audit')
  })
}

const overPath = `${signInPath}?link=over`

/**
 * Signs in by a link of `coopshare console`. It is always answered with another address, because a browser does not
 * keep one that leads elsewhere in its history, and does not pass it on.
 */
async function followLink(request: Request): Promise<Reply> {
  const { event, sessions, context } = request
  const code = readParameter(event, 'code')
  if (code === undefined) {
    const isOver = readParameter(event, 'link') !== undefined && !(await sessions.find(event))
    return isOver ? signInPage(context, '/', 'linkOver') : { goTo: '/' }
  }
  requireOwnVisit(event)
  requireOpening(event)
  event.res.headers.set('referrer-policy', 'no-referrer')
  try {
    await enterAs(request, () => sessions.beginByLink(event, code))
    return { goTo: '/' }
  } catch (error) {
    const isRefused =
      error instanceof Problem && ['UNAUTHENTICATED', 'RATE_LIMITED'].includes(error.code)
    if (!isRefused) throw error
    event.context.problemCode = error.code
    return { goTo: overPath }
  }
}

/** A browser, or a program that shows a preview, may look at a link before somebody opens it. That must not use it up. */
function requireOpening({ req: { method, headers } }: H3Event): void {
  const purpose = headers.get('sec-purpose') ?? headers.get('purpose') ?? headers.get('x-moz') ?? ''
  const isDocument = (headers.get('sec-fetch-dest') ?? 'document') === 'document'
  if (method === 'GET' && isDocument && !/prefetch|preview/i.test(purpose)) return
  throw new Problem('SERVICE_UNAVAILABLE', 'Open this link in a window of its own.')
}

/** @param back where to go after the sign-in */
function signInPage(
  { say }: Context,
  back: string,
  note?: 'wrongToken' | 'sessionEnded' | 'linkOver',
): Page {
  const body = html`${note && html`<p class="note bad" role="alert">${withCommands(say(note))}</p>`}
<form method="post" action="${signInPath}" class="row inline"><input type="hidden" name="back" value="${back}"><label for="token">${say('token')}</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus size="40">
<button>${say('signIn')}</button></form><p class="soft">${withCommands(say('tokenHint'))}</p>`
  return { title: say('signIn'), body, status: 401 }
}

/** Renders a text in which only commands have quotation marks. */
function withCommands(text: string): Html {
  const parts = text.split(/[„“]([^“”]*)[“”]/)
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code class="command">${part}</code>` : part))}`
}

/** An operator who leaves a machine must be able to sign out in any state of the store. */
async function signOut({ event, sessions, options }: Request): Promise<Reply> {
  requireOwnForm(event, options)
  const form = await readForm(event, maximumOpenFormBytes)
  const session = sessions.read(event)
  if (!session) return { goTo: '/' }
  requireOwnCsrf(session, form.get('csrf'))
  const isStored = await ifWritable(async () => {
    const found = await sessions.find(event)
    if (!found) return
    event.context.operator = found.operator
    await sessions.endAll(found.operator)
    await serviceOf(found, event, options).note('sign_out')
  })
  sessions.end(event)
  const { operatorId } = session
  if (!isStored) options.logger.warn({ operatorId }, 'a sign-out could not be stored')
  return { goTo: '/' }
}

async function switchLanguage({ event, options }: Request): Promise<Reply> {
  requireOwnForm(event, options)
  const form = await readForm(event, maximumOpenFormBytes)
  keepLanguage(event, form.get('to') === 'de' ? 'de' : 'en')
  return { goTo: ownPath(form.get('back')) }
}

function errorPage(error: unknown, visit: Context): Page {
  const { event, say, back, logger } = visit
  const { requestId = '' } = event.context
  if (!(error instanceof Problem)) logger.error({ requestId, error }, 'A request failed.')
  const problem = error instanceof Problem ? toWireProblem(error) : undefined
  const { errors = {}, retryAfterSeconds } = problem?.extra ?? {}
  if (problem) event.context.problemCode = publicCodeOf(problem.code)
  if (retryAfterSeconds !== undefined) event.res.headers.set('retry-after', `${retryAfterSeconds}`)
  const lines = (problem?.message ?? say('failed')).split('\n')
  const body = html`<div class="note bad" role="alert">${lines.map((line) => html`<div>${messageIn(visit, line)}</div>`)}</div>
<dl>${Object.entries(errors).map(([name, what]) => html`<dt><code>${name}</code></dt><dd>${messageIn(visit, what)}</dd>`)}
${problem && html`<dt>${say('code')}</dt><dd><a href="/errors/${slugOf(problem.code)}"><code>${problem.code}</code></a></dd>`}
<dt>${say('requestId')}</dt><dd><code>${requestId}</code></dd></dl>
${back !== undefined && html`<p><a href="${back}">${say('back')}</a></p>`}`
  const status = problem ? statusOf(problem.code) : 500
  return { title: say(status === 404 ? 'notFound' : 'refused'), body, status }
}
