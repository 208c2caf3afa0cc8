import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { configQuery } from '../../api/queries.ts'
import { useFailure } from '../../api/use-failure.ts'
import { OpenPart } from '../../layout/states/open-part.tsx'
import { LoadState } from '../../layout/states/load-state.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { useTheme } from '../../state/preferences.ts'
import { liveMessages } from '../../text/en/live.ts'
import { useMessages } from '../../text/messages.ts'
import styles from './live.module.css'
import { readScreen, type Problem, type ScreenSettings } from '../../screen-address.ts'
import { Screen } from './screen.tsx'

/** The big screen: without a header or controls, composed by its address. docs/operate/big-screen.md */
export function Component() {
  const text = useMessages(liveMessages)
  usePageTitle(text.title)
  const [search] = useSearchParams()
  const { settings, problems } = readScreen(search)
  const reading = useQuery(configQuery)
  const failure = useFailure(reading)
  const theme = useTheme()
  const { data: config } = reading
  const all = [...problems, ...(config ? problemOf(settings, config) : [])]
  const isTransparent = settings.isTransparent && all.length === 0
  useBareRoot(isTransparent)
  return (
    <div
      className={styles.screen}
      data-theme={settings.theme ?? theme}
      data-transparent={isTransparent || undefined}
    >
      <main>
        {all.length > 0 && <Wrong problems={all} />}
        {all.length === 0 && !config && (
          <>
            <h1 className="pn-hidden">{text.title}</h1>
            <LoadState failure={failure}>{null}</LoadState>
          </>
        )}
        {all.length === 0 && config && (
          <OpenPart>
            <Screen settings={settings} config={config} />
          </OpenPart>
        )}
      </main>
    </div>
  )
}

function problemOf(
  { division }: ScreenSettings,
  { divisions }: { readonly divisions: Readonly<Record<string, string>> },
): Problem[] {
  if (division === undefined || Object.hasOwn(divisions, division)) return []
  return [{ name: 'division', value: division, kind: 'division' }]
}

/**
 * The root element has a background, which an overlay must not have, and room for a scroll bar, which this page does not
 * need.
 */
function useBareRoot(isTransparent: boolean): void {
  useEffect(() => {
    const [root, body] = [document.documentElement.style, document.body.style]
    root.setProperty('scrollbar-gutter', 'auto')
    if (isTransparent) {
      for (const each of [root, body]) each.setProperty('background', 'transparent')
      root.setProperty('color-scheme', 'normal')
    }
    return () => {
      for (const name of ['scrollbar-gutter', 'background', 'color-scheme']) root.removeProperty(name)
      body.removeProperty('background')
    }
  }, [isTransparent])
}

function Wrong({ problems }: { readonly problems: readonly Problem[] }) {
  const text = useMessages(liveMessages)
  return (
    <div className={styles.wrong} role="alert">
      <h1>{text.wrongAddress}</h1>
      <ul>
        {problems.map(({ name, value, kind }) => (
          <li key={name}>
            <code dir="ltr">
              {name}={value}
            </code>
            <p>{text.problem[kind]}</p>
          </li>
        ))}
      </ul>
      <p>{text.wrongAddressHelp}</p>
    </div>
  )
}
