import { signalKinds, signalTiers } from '../../contract/src/fair-play.ts'
import { planted, SEED, simulateEvent } from './event.ts'
import { figuresOf, pairsFound, tableOf } from './figures.ts'

// Prints precision and recall of the signals of fair play on a simulated event: docs/reference/fair-play.md#figures

const [seed = SEED] = process.argv.slice(2)
const event = simulateEvent(seed)
console.log(
  `${planted.teams} teams, ${event.facts.attempts.length} submissions, ${planted.pairs} pairs, ${planted.rooms} rooms, ${planted.coincidences} coincidences`,
)
const startedAt = performance.now()
const figures = figuresOf(event)
console.log(`computed in ${Math.round(performance.now() - startedAt)} ms\n`)
console.log(tableOf(figures, planted.pairs))
const strong = signalKinds.filter((kind) => signalTiers[kind] !== 'context')
const hard = strong.filter((kind) => signalTiers[kind] === 'hard')
console.log(
  `\nPairs with a hard signal: ${pairsFound(event, hard)}; with a hard or behavioural one: ${pairsFound(event, strong)}`,
)
