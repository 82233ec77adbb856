// The number format of a cell decides what a person sees, and so what the number means.
import { CellFault, ShownNumber } from './cell.ts'

interface Section {
  /** Placeholders of digits, letters of dates, signs and spaces. */
  readonly code: string
  /** What is shown as it is. */
  readonly text: string
  /** Colours, conditions, and units of a duration. */
  readonly brackets: readonly string[]
}

// In this sequence: text in quotation marks, a character after a backslash, a currency with its language, other
// brackets, spaces and fillers, the end of a section, and everything else.
const part = /"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[([^\]]*)\]|[_*].|(;)|(.)/gsu

/** The sections for positive numbers, negative numbers, zero and text, or only some of them. */
function sectionsOf(format: string): Section[] {
  const first = { code: '', text: '', brackets: [] as string[] }
  const sections = [first]
  let section = first
  for (const [, quoted, escaped, currency, bracket, end, other] of format.matchAll(part)) {
    if (end) {
      section = { code: '', text: '', brackets: [] }
      sections.push(section)
    }
    section.text += quoted ?? escaped ?? currency ?? ''
    section.code += other ?? ''
    if (bracket !== undefined) section.brackets.push(bracket)
  }
  return sections
}

/** @returns the number itself, or the text in its place, if that is all that the format shows */
export function readShownNumber(
  value: number,
  format: string,
): number | string | ShownNumber | CellFault {
  const shown = sectionsFor(value, sectionsOf(format)).map((section) => showIn(section, value))
  const [first = value, ...others] = shown
  const isClear = others.every((other) => String(other) === String(first))
  return isClear ? first : ambiguous
}

function sectionsFor(value: number, sections: readonly Section[]): readonly Section[] {
  const numeric = sections.slice(0, 3)
  if (numeric.some(({ brackets }) => brackets.some((text) => /^[<>=]/.test(text)))) {
    return numeric.filter(({ code }) => !code.includes('@'))
  }
  const [positive, negative = positive, zero = positive] = numeric
  const section = value < 0 ? negative : value === 0 ? zero : positive
  return section ? [section] : []
}

const hidden = new CellFault('has a number format that hides it: remove the format')
const divided = new CellFault('has a number format that leaves out digits: remove the format')
const ambiguous = new CellFault('has a number format with conditions: remove the format')
const unreadable = new CellFault('has a number format that cannot be read: remove the format')
const supplemented = new CellFault('has a format that adds text: remove the format')
const time = new CellFault('is a time or a duration')
const partialDate = new CellFault(
  'is a date that is shown only in part: use a format with day, month and year',
)

function showIn({ code, text }: Section, value: number): number | string | ShownNumber | CellFault {
  if (!/[#0?@]|general/i.test(code)) return (text + code).trim() || hidden
  const placeholders = code.replace(/e[+-].*/i, '').replace(/[^#0?.,]/g, '')
  if (/,(?:\.|$)/.test(placeholders)) return divided
  const unit = unitOf(code, text, value)
  const form = code.trim()
  if (unit === '' && /^(?:general|@|#*0?)$/i.test(form)) return value
  // The product of 0.07 and 100 has a digit too many.
  const shown = code.includes('%') ? Number((value * 100).toPrecision(15)) : value
  const isDigits = unit === '' && /^0+$/.test(form) && value >= 0 && Number.isInteger(value)
  const digits = isDigits ? String(value).padStart(form.length, '0') : undefined
  return new ShownNumber({ value: shown, unit, digits })
}

const zeroCents = /[.,][-–—]+/g

function unitOf(code: string, text: string, value: number): string {
  const beside = code
    .replace(zeroCents, '')
    .replace(/general|e[+-]/gi, '')
    .replace(/[\d#?.,/@]/g, '')
  const symbols = (beside + text.replace(zeroCents, '')).replace(/[\s+]/g, '')
  // A sign would turn a positive number into another one.
  return value > 0 ? symbols : symbols.replace(/[-–—()]/g, '')
}

/** What is wrong with a date because of its format. */
export function dateFault(format: string): CellFault | undefined {
  const [{ code, brackets } = { code: '', brackets: [] }] = sectionsOf(format)
  const letters = code.replace(/am\/pm|a\/p/gi, '').toLowerCase()
  const has = (pattern: RegExp) => pattern.test(letters)
  if (has(/[ye]/) && has(/m/) && has(/d/)) return undefined
  if (brackets.some((text) => /^(?:h+|m+|s+)$/i.test(text))) return time
  if (has(/[yed]/)) return partialDate
  if (has(/[hs]/)) return time
  return has(/m/) ? partialDate : unreadable
}

/** What is wrong with a text because of its format. */
export function textFault(format: string): CellFault | undefined {
  const sections = sectionsOf(format)
  const section = sections[3] ?? sections.find(({ code }) => code.includes('@'))
  if (!section) return undefined
  if (section.text.trim() !== '') return supplemented
  return /@|general/i.test(section.code) ? undefined : hidden
}
