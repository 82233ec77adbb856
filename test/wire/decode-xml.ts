import t from 'tap'
import { decodeXml } from '../../src/wire/decode-xml.ts'

const document = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><Nm>Jörg</Nm>`

t.test(
  'a file is read in the encoding of its mark, its declaration or its first bytes',
  async (t) => {
    const utf16 = Buffer.from(document('UTF-16'), 'utf16le')
    for (const [name, content] of [
      ['UTF-8', Buffer.from(document('UTF-8'))],
      ['without a declaration', Buffer.from('<Nm>Jörg</Nm>')],
      ['ISO-8859-1', Buffer.from(document('ISO-8859-1'), 'latin1')],
      ['windows-1252', Buffer.from(document('windows-1252'), 'latin1')],
      ['UTF-16 with a mark', Buffer.from(`\ufeff${document('UTF-16')}`, 'utf16le')],
      ['UTF-16 without a mark', utf16],
      ['UTF-16, big end first', Buffer.from(utf16).swap16()],
    ] as const) {
      t.match(decodeXml(content, 'bank.xml'), /<Nm>Jörg<\/Nm>/, name)
    }
  },
)

t.test(
  'a file in another encoding than it declares, or a ZIP file, is refused by its name',
  async (t) => {
    const refuse = (content: Buffer) => () => decodeXml(content, 'bank.xml')
    t.throws(refuse(Buffer.from(document('UTF-8'), 'latin1')), {
      code: 'STATEMENT_REFUSED',
      message: /^bank\.xml is not an XML file in the encoding utf-8/,
    })
    t.throws(refuse(Buffer.from(document('KLINGON'))), { message: /klingon/ })
    t.throws(refuse(Buffer.from('PK\u0003\u0004')), { message: /bank\.xml is a ZIP file/ })
  },
)
