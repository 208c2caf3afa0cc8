import { planted, simulateEvent } from './event.ts'
import { figuresOf, pairsFound, tableOf } from './figures.ts'

// Prints precision and recall of the signals of fair play on a simulated event: docs/reference/fair-play.md#figures

const [seed = 'fair play'] = process.argv.slice(2)
const event = simulateEvent(seed)
console.log(
  `${planted.teams} teams, ${event.facts.attempts.length} submissions, ${planted.pairs} pairs, ${planted.rooms} rooms, ${planted.coincidences} coincidences`,
)
const startedAt = performance.now()
const figures = figuresOf(event)
console.log(`computed in ${Math.round(performance.now() - startedAt)} ms\n`)
console.log(tableOf(figures, planted.pairs))
console.log(
  `\nPairs with a hard signal: ${pairsFound(event, ['foreignFlag'])}; with a hard or behavioural one: ${pairsFound(event, ['foreignFlag', 'equalWrongFlag', 'unseenSolve', 'noInstance', 'sameRhythm', 'soonAfterRelease', 'soonAfterTeam'])}`,
)
