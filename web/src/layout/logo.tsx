import { useState } from 'react'
import { Link } from 'react-router'
import { useConfig } from '../api/use-contest.ts'
import { paths } from '../paths.ts'
import { frameMessages } from '../text/en/frame.ts'
import { useMessages } from '../text/messages.ts'
import { useTheme } from '../state/preferences.ts'

/** The event's logo for an `img`; undefined without one, or if it does not load. */
export function useEventLogo() {
  const src = logoUrl(useConfig(), useTheme())
  const [failed, setFailed] = useState<string>()
  return src === undefined || src === failed ? undefined : { src, onError: () => setFailed(src) }
}

/** Of the other theme if this one has none. */
export function logoUrl(config: ReturnType<typeof useConfig>, theme: 'dark' | 'light'): string | undefined {
  const own = theme === 'dark' ? config?.logoDarkUrl : config?.logoLightUrl
  return own ?? config?.logoDarkUrl ?? config?.logoLightUrl ?? undefined
}

/** The event's logo, or its name. `index.html` draws the same before any script runs, without the name. */
export function Logo() {
  const config = useConfig()
  const picture = useEventLogo()
  const text = useMessages(frameMessages)
  return (
    <Link className="pn-logo" to={paths.home()} {...(config ? {} : { 'aria-label': text.home })}>
      {picture ? (
        <img {...picture} alt={config?.ctfName ?? ''} height={32} />
      ) : (
        <>
          <Mark size={32} />
          <span>{config && <bdi title={config.ctfName}>{config.ctfName}</bdi>}</span>
        </>
      )}
    </Link>
  )
}

/** The pennant on its pole. The score line is cut in from 24 pixels up. */
export function Mark({ size }: { readonly size: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} fill="none" aria-hidden="true">
      <path d="M7 3.5v25" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
      <path className="pn-logo-flag" d="M11 5.5 27 12 11 18.5Z" strokeWidth="2" strokeLinejoin="round" />
      {size >= 24 && (
        <path
          className="pn-logo-line"
          d="M11.5 14.6h3.4v-2.4h3.6v-2"
          strokeWidth="1.7"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
    </svg>
  )
}
