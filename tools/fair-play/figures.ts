import { defaultThresholds, signalKinds, signalTiers, type SignalKind } from '../../contract/src/fair-play.ts'
import { computeSignals } from '../../server/src/features/organisers/fair-play/signals/compute.ts'
import type { Signal } from '../../server/src/features/organisers/fair-play/signals/signal.ts'
import type { SimulatedEvent } from './event.ts'

export interface Figures {
  readonly kind: SignalKind
  readonly signals: number
  /** Signals that are about a pair that shares, or about its receiver. */
  readonly right: number
  /** Pairs that share and have such a signal. */
  readonly pairs: number
}

/** How many signals of each kind are right, and how many pairs each kind finds. */
export function figuresOf({ facts, sharing }: SimulatedEvent): Figures[] {
  const signals = computeSignals(facts, defaultThresholds)
  const pairOf = ({ teamIds: [one, other] }: Signal) =>
    sharing.findIndex(
      ([source, receiver]) =>
        (one === receiver && (other === undefined || other === source)) ||
        (one === source && other === receiver),
    )
  return signalKinds.map((kind) => {
    const found = signals.filter((signal) => signal.kind === kind)
    const right = found.map(pairOf).filter((at) => at >= 0)
    return { kind, signals: found.length, right: right.length, pairs: new Set(right).size }
  })
}

/** Pairs that have any signal of these kinds. */
export function pairsFound({ facts, sharing }: SimulatedEvent, kinds: readonly SignalKind[]): number {
  const signals = computeSignals(facts, defaultThresholds).filter(({ kind }) => kinds.includes(kind))
  return sharing.filter(([source, receiver]) =>
    signals.some(({ teamIds }) => teamIds[0] === receiver && [undefined, source].includes(teamIds[1])),
  ).length
}

const percent = (part: number, whole: number) =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(part === whole ? 0 : 1)} %`

/** A Markdown table, which the documentation contains. */
export function tableOf(figures: readonly Figures[], pairs: number): string {
  const rows = figures.map(({ kind, signals, right, pairs: found }) => [
    `\`${kind}\``,
    signalTiers[kind],
    String(signals),
    percent(right, signals),
    percent(found, pairs),
  ])
  const lines = [['Kind', 'Tier', 'Signals', 'Precision', 'Recall'], ...rows]
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [lineOf(lines[0] ?? []), rule, ...rows.map(lineOf)].join('\n')
}
