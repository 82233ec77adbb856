import { SaxesParser } from 'saxes'
import { Problem } from '../problem.ts'

/** An element, by local names: banks use any prefix, or forget the namespace. */
export class BankElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: BankElement[] = []
  text = ''
  /** The line of the end. */
  line = 0

  constructor(name: string, attributes: Readonly<Record<string, string>>) {
    this.name = name
    this.attributes = attributes
  }

  /** The first element at a path, such as `Refs/EndToEndId`; banks change the order of elements. */
  find(path: string): BankElement | undefined {
    let found: BankElement | undefined = this
    for (const part of path.split('/')) found = found?.children.find(({ name }) => name === part)
    return found
  }

  all(name: string): readonly BankElement[] {
    return this.children.filter((child) => child.name === name)
  }

  /** The text at the first of these paths that has one. Codes may be empty, and some versions write one as text. */
  textAt(...paths: readonly string[]): string | undefined {
    for (const path of paths) {
      const text = this.find(path)?.text.trim()
      if (text) return text
    }
    return undefined
  }
}

/** The elements of a message that are read one by one, because a message has thousands of them. */
export interface ElementHandler {
  /** The root of the document, and each element that contains others to be read one by one. */
  begin(depth: number, element: BankElement): void
  /** An element has ended, with its content but without the parts that were read before it. */
  end(element: BankElement): void
}

const maximumDepth = 64

/**
 * Reads an XML message in pieces. A document type is refused, so that no entity can be declared. `taken` names the
 * elements that the handler gets when they end; they are then dropped from the elements that contain them.
 */
export class BankMessageReader {
  readonly #parser = new SaxesParser<{ xmlns: false; position: true }>({
    xmlns: false,
    position: true,
  })
  readonly #stack: BankElement[] = []
  #isBegun = false
  readonly #handler: ElementHandler
  readonly #taken: ReadonlySet<string>

  constructor(taken: ReadonlySet<string>, handler: ElementHandler) {
    this.#handler = handler
    this.#taken = taken
    const parser = this.#parser
    parser.on('error', (error) => {
      throw this.#refused(`The file is damaged XML: ${error.message.replace(/^[\d:. ]+/, '')}`)
    })
    parser.on('doctype', () => {
      throw this.#refused('The file declares a document type, which no bank does')
    })
    parser.on('opentag', ({ name, attributes }) => this.#open(name, attributes))
    parser.on('text', (text) => this.#addText(text))
    parser.on('cdata', (text) => this.#addText(text))
    parser.on('closetag', () => this.#close())
  }

  write(piece: string): void {
    this.#parser.write(piece)
  }

  close(): void {
    if (!this.#isBegun) throw refusedMessage('The file is empty, or contains no XML')
    this.#parser.close()
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#stack.length >= maximumDepth) throw this.#refused('The elements are nested too deep')
    this.#isBegun = true
    const element = new BankElement(localName(name), attributes)
    this.#stack.push(element)
    this.#handler.begin(this.#stack.length, element)
  }

  #addText(text: string): void {
    const current = this.#stack.at(-1)
    if (current) current.text += ownText(text)
  }

  #close(): void {
    const element = this.#stack.pop()
    if (!element) return
    element.line = this.#parser.line
    if (this.#taken.has(element.name)) this.#handler.end(element)
    else this.#stack.at(-1)?.children.push(element)
  }

  #refused(what: string): Problem {
    return refusedMessage(what, this.#parser.line)
  }
}

export function refusedMessage(what: string, line?: number): Problem {
  const where = line === undefined ? '' : ` (line ${line})`
  const end = what.endsWith('.') ? what.slice(0, -1) : what
  return new Problem('STATEMENT_REFUSED', `${end}${where}.`)
}

// Shorter texts are copied anyway.
const shortestPart = 13

/** A text that was cut out of a piece keeps the whole piece in memory, and an entry can be stored for years. */
function ownText(text: string): string {
  return text.length < shortestPart ? text : Buffer.from(text).toString()
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
