// Two series by day, as bars that are links, and as a table.
import type { OrderSum } from '../../domain/share-purchases/share-purchase.ts'
import { type Html, html, pathTo } from './html.ts'
import { counted, money, table, type Visit } from './page.ts'
import { locales } from './texts.ts'

export interface Day {
  /** yyyy-MM-dd, on the calendar of the platform. */
  readonly day: string
  /** The day after it. */
  readonly next: string
  readonly placed: OrderSum
  readonly settled: OrderSum
}

const series = ['placed', 'settled'] as const
type Series = (typeof series)[number]

/** The units of a day, and of one of its two bars, in the width; the height is in pixels. */
const [dayWidth, barWidth, height] = [12, 5, 160]

/**
 * The texts are not in the graphic, which is as wide as the page, so that they keep their size. The links of the bars are
 * left out of the order of the Tab key and of what screen readers read: the table has the same links.
 */
export function renderDays(visit: Visit, days: readonly Day[]): Html {
  const { say } = visit
  const most = roundUp(Math.max(...days.flatMap((day) => series.map((name) => day[name].count))))
  const places = [0, 1, 2, 3].map((third) => Math.round((third * (days.length - 1)) / 3))
  const labels = places.flatMap((place) => days[place] ?? []).map(({ day }) => shortDay(visit, day))
  const lines = [0, 1, 2].map(
    (half) =>
      html`<line x1="0" x2="${days.length * dayWidth}" y1="${(half * height) / 2}" y2="${(half * height) / 2}"/>`,
  )
  return html`<figure class="days">
<figcaption><span class="soft">${say('ordersPerDay')}</span> ${series.map((name) => html`<span class="legend"><svg aria-hidden="true" width="14" height="14">${patternOf(name)}<rect class="${name}" width="14" height="14"${name === 'settled' && html` fill="url(#stripes)"`}/></svg>${say(titles[name])}</span> `)}</figcaption>
<div class="plot" aria-hidden="true"><div class="scale"><span>${counted(most, visit, most + 1)}</span><span>${counted(most / 2, visit, most)}</span><span>0</span></div>
<svg viewBox="0 0 ${days.length * dayWidth} ${height}" preserveAspectRatio="none" focusable="false">${lines}
${days.map((day, index) => series.map((name) => renderBar(visit, { day, name, index, most })))}</svg>
<div class="labels">${labels.map((label) => html`<span>${label}</span>`)}</div></div>
<details><summary>${say('asTable')}</summary>${renderTable(visit, days)}</details></figure>`
}

const titles = { placed: 'placedPerDay', settled: 'settledPerDay' } as const

/** Stripes, so that the series differ without their colours. */
function patternOf(name: Series): Html {
  if (name === 'placed') return html``
  return html`<defs><pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse"><rect class="ground" width="6" height="6"/><rect class="stripe" width="6" height="3"/></pattern></defs>`
}

interface Bar {
  readonly day: Day
  readonly name: Series
  readonly index: number
  readonly most: number
}

function renderBar(visit: Visit, { day, name, index, most }: Bar): Html {
  const { count } = day[name]
  if (count === 0) return html``
  const size = Math.max(2, Math.round((count / most) * height))
  const left = index * dayWidth + 1 + (name === 'placed' ? 0 : barWidth)
  const fill = name === 'settled' && html` fill="url(#stripes)"`
  // The whole height is the link, because a low bar is hard to hit.
  return html`<a href="${linkOf(day, name)}" tabindex="-1"><title>${describe(visit, day, name)}</title>
<rect class="hit" x="${left}" y="0" width="${barWidth}" height="${height}"/><rect class="${name}" x="${left}" y="${height - size}" width="${barWidth}" height="${size}"${fill}/></a>`
}

/** The orders of a bar. */
function linkOf({ day, next }: Day, name: Series): string {
  return name === 'placed'
    ? pathTo('/orders', { since: day, until: next })
    : pathTo('/orders', { settled_since: day, settled_until: next })
}

function describe(visit: Visit, day: Day, name: Series): string {
  const what = visit.say(titles[name])
  return `${longDay(visit, day.day)}: ${exact(visit, day[name].count)} ${what}, ${money(day[name].total, 'EUR', visit)}`
}

function renderTable(visit: Visit, days: readonly Day[]): Html {
  const { say } = visit
  const countOf = (name: Series) => (day: Day) =>
    day[name].count === 0
      ? '0'
      : html`<a href="${linkOf(day, name)}">${exact(visit, day[name].count)}</a>`
  const totalOf = (name: Series) => (day: Day) => money(day[name].total, 'EUR', visit)
  return table(say, say('ordersPerDay'), days.toReversed(), [
    { head: 'day', cell: ({ day }) => html`<time>${longDay(visit, day)}</time>` },
    ...series.flatMap((name) => [
      { head: titles[name], cell: countOf(name), isNumber: true },
      { head: amounts[name], cell: totalOf(name), isNumber: true },
    ]),
  ])
}

const amounts = { placed: 'amountPlaced', settled: 'amountSettled' } as const

export function exact(visit: Visit, count: number): string {
  return counted(count, visit, Number.POSITIVE_INFINITY)
}

/** An even number of one digit and zeros, or 15 and zeros, for a scale with a line in the middle. */
function roundUp(most: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  const step = [1, 1.5, 2, 3, 4, 6, 8, 10].find((times) => times * size >= most) ?? 10
  return Math.max(2, Math.ceil((step * size) / 2) * 2)
}

function shortDay(visit: Visit, day: string): string {
  return format(visit, day, {
    day: 'numeric',
    month: visit.language === 'de' ? 'numeric' : 'short',
  })
}

function longDay(visit: Visit, day: string): string {
  return format(visit, day, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
}

function format({ language }: Visit, day: string, parts: Intl.DateTimeFormatOptions): string {
  const form = new Intl.DateTimeFormat(locales[language], { ...parts, timeZone: 'UTC' })
  return form.format(new Date(`${day}T00:00:00Z`))
}
