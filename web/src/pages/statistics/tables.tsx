import type { CSSProperties, ReactNode } from 'react'
import { statisticsMessages } from '../../text/en/statistics.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { divisionName, useConfig } from '../../api/use-contest.ts'
import { CountryFlag } from '../../ui/data/country-flag.tsx'
import { categoryOf, compareCategories } from '../../ui/marks/categories.ts'
import { CategoryMark, clothStyle } from '../../ui/marks/category-mark.tsx'
import plots from '../../ui/drawn/drawn.module.css'
import { Panel } from '../../ui/states/panel.tsx'
import { percent } from './amounts.ts'
import type { PartProps } from './part.ts'
import styles from './statistics.module.css'

// Tables whose numbers have bars, so they need no second form.

interface Column {
  readonly name: string
  readonly of: readonly number[]
  readonly format?: (value: number) => string
}

interface BarTableProps {
  readonly title: string
  readonly actions: ReactNode
  /** What the rows are. */
  readonly head: string
  readonly rows: readonly { readonly key: string; readonly name: ReactNode; readonly style?: CSSProperties }[]
  readonly columns: readonly Column[]
}

function BarTable({ title, actions, head, rows, columns }: BarTableProps) {
  const { number } = useFormat()
  return (
    <Panel title={title} actions={actions} className={plots.panel}>
      <div className={styles.scroller} tabIndex={0} role="group" aria-label={title}>
        <table className={plots.balance}>
          <thead>
            <tr>
              <th scope="col">{head}</th>
              {columns.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, style }, at) => (
              <tr key={key} style={style} className={style ? undefined : styles.plainRow}>
                <th scope="row">{name}</th>
                {columns.map(({ name: column, of, format = number }) => (
                  <td key={column} className={styles.narrow}>
                    <span
                      className={plots.bar}
                      style={{ '--share': (of[at] ?? 0) / Math.max(1e-9, ...of) } as CSSProperties}
                    >
                      {format(of[at] ?? 0)}
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

export function Categories({ report, csv }: PartProps) {
  const text = useMessages(statisticsMessages)
  const all = report.categories.toSorted((a, b) => compareCategories(a.category, b.category))
  return (
    <BarTable
      title={text.categories}
      actions={csv('categories', text.categories)}
      head={text.category}
      rows={all.map(({ category }) => ({
        key: category,
        name: <CategoryMark name={category} />,
        style: clothStyle(categoryOf(category)),
      }))}
      columns={[
        { name: text.challenges, of: all.map(({ challenges }) => challenges) },
        { name: text.points, of: all.map(({ points }) => Math.max(0, points)) },
        { name: text.solves, of: all.map(({ solves }) => solves) },
        { name: text.solvers, of: all.map(({ solvers }) => solvers) },
        { name: text.solveShare, of: all.map(({ share }) => share), format: percent },
      ]}
    />
  )
}

/** By country in the profile. */
export function Countries({ report, csv }: PartProps) {
  const text = useMessages(statisticsMessages)
  const all = report.countries
  const columns = useGroupColumns(all)
  return (
    <BarTable
      title={text.countries}
      actions={csv('countries', text.countries)}
      head={text.country}
      rows={all.map(({ countryCode }) => ({
        key: countryCode ?? '',
        name: countryCode === null ? text.noCountry : <CountryFlag code={countryCode} />,
      }))}
      columns={columns}
    />
  )
}

/** Shown only if there are several. */
export function Divisions({ report, csv }: PartProps) {
  const text = useMessages(statisticsMessages)
  const names = useConfig()?.divisions
  const all = report.divisions
  const columns = useGroupColumns(all)
  if (all.length < 2) return null
  return (
    <BarTable
      title={text.divisions}
      actions={csv('divisions', text.divisions)}
      head={text.division}
      rows={all.map(({ division }) => ({ key: division, name: <bdi>{divisionName(names, division)}</bdi> }))}
      columns={columns}
    />
  )
}

interface Group {
  readonly teams: number
  /** For organisers only. */
  readonly active?: number
  readonly solvers: number
  readonly solves: number
}

function useGroupColumns(all: readonly Group[]): Column[] {
  const text = useMessages(statisticsMessages)
  const active = all.flatMap((group) => group.active ?? [])
  return [
    { name: text.teams, of: all.map(({ teams }) => teams) },
    ...(active.length === all.length ? [{ name: text.active, of: active }] : []),
    { name: text.solvers, of: all.map(({ solvers }) => solvers) },
    { name: text.solves, of: all.map(({ solves }) => solves) },
  ]
}

const STEPS = ['registered', 'active', 'solvedOne', 'solvedMany', 'solvedHalf', 'solvedAll'] as const

export function Funnel({ report, csv }: PartProps) {
  const text = useMessages(statisticsMessages)
  const counts = STEPS.map((step) => report.funnel[step])
  const first = Math.max(1, report.funnel.registered)
  return (
    <BarTable
      title={text.funnel}
      actions={csv('funnel', text.funnel)}
      head={text.step}
      rows={STEPS.map((step) => ({ key: step, name: text.steps[step] }))}
      columns={[
        { name: text.teams, of: counts },
        { name: '%', of: counts.map((count) => count / first), format: percent },
      ]}
    />
  )
}
