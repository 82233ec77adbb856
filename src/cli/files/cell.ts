/** A cell that cannot be used. The fault is the end of a sentence. */
export class CellFault {
  readonly fault: string

  constructor(fault: string) {
    this.fault = fault
  }
}

/** A number with a number format of its own. */
export class ShownNumber {
  /** As it is shown: 4.5 for 4.5 %, although the cell has 0.045. */
  readonly value: number
  /** Without spaces, such as `%` or `€`. Empty if only the number is shown. */
  readonly unit: string
  /** With zeros in front, if nothing but digits is shown. */
  readonly digits: string | undefined

  constructor({ value, unit, digits }: Omit<ShownNumber, 'toString'>) {
    this.value = value
    this.unit = unit
    this.digits = digits
  }

  toString(): string {
    return this.digits ?? this.value + this.unit
  }
}

/** What is written into a sheet. A blank cell is null. */
export type PlainCell = string | number | boolean | Date | null

export type Cell = PlainCell | ShownNumber | CellFault
