import { useState } from 'react'
import { useConfig } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { liveMessages } from '../../text/en/live.ts'
import { useMessages } from '../../text/messages.ts'
import { buttonClass } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import styles from './screen-composer.module.css'
import {
  MAX_ROWS,
  MAX_TITLE,
  PANELS,
  screenQuery,
  usualScreen,
  type ScreenSettings,
} from '../../screen-address.ts'

const ROWS = [5, 10, 15, 20, MAX_ROWS]
const PERCENTS = [50, 75, 100, 125, 150, 200]
const THEMES = ['auto', 'dark', 'light'] as const

/** Composes the address of a big screen. */
export function Composer({ onClose }: { readonly onClose: () => void }) {
  const text = useMessages(liveMessages)
  const [settings, setSettings] = useState<ScreenSettings>(usualScreen)
  const change = (some: Partial<ScreenSettings>) => setSettings((now) => ({ ...now, ...some }))
  const { panels } = settings
  const path = paths.live() + screenQuery(settings)
  const address = location.origin + path
  const isEmpty = panels.length === 0
  const actions = !isEmpty && (
    <>
      <a className={buttonClass('plain')} href={path} target="_blank" rel="noreferrer">
        {text.open}
      </a>
      <CopyButton tone="primary" text={address}>
        {text.copy}
      </CopyButton>
    </>
  )
  return (
    <Dialog open size="large" title={text.composeTitle} onClose={onClose} actions={actions}>
      <div className={styles.form}>
        <p>{text.composeHelp}</p>
        <fieldset className={styles.panels}>
          <legend>{text.panels}</legend>
          {PANELS.map((name) => (
            <Switch
              key={name}
              kind="checkbox"
              label={text[name]}
              checked={panels.includes(name)}
              onChange={(on) =>
                change({ panels: PANELS.filter((each) => (each === name ? on : panels.includes(each))) })
              }
            />
          ))}
        </fieldset>
        <Choices settings={settings} onChange={change} />
        <Switch
          kind="checkbox"
          label={text.transparent}
          checked={settings.isTransparent}
          onChange={(isTransparent) => change({ isTransparent })}
        />
        <Switch
          kind="checkbox"
          label={text.moments}
          checked={settings.hasMoments}
          onChange={(hasMoments) => change({ hasMoments })}
        />
        {isEmpty ? (
          <p role="alert">{text.onePanel}</p>
        ) : (
          <p>
            {text.address} <code dir="ltr">{address}</code>
          </p>
        )}
      </div>
    </Dialog>
  )
}

interface ChoicesProps {
  readonly settings: ScreenSettings
  readonly onChange: (some: Partial<ScreenSettings>) => void
}

function Choices({ settings, onChange }: ChoicesProps) {
  const text = useMessages(liveMessages)
  const divisions = Object.entries(useConfig()?.divisions ?? {})
  const { rows, scale, theme, division, title } = settings
  const hasTitle = title !== ''
  return (
    <>
      <div className={styles.fields}>
        <Select
          label={text.teams}
          value={String(rows)}
          choices={ROWS.map((each) => ({ value: String(each), label: String(each) }))}
          onChange={(value) => onChange({ rows: Number(value) })}
        />
        <Select
          label={text.scale}
          value={String(scale * 100)}
          choices={PERCENTS.map((each) => ({ value: String(each), label: `${each} %` }))}
          onChange={(value) => onChange({ scale: Number(value) / 100 })}
        />
        <Select
          label={text.theme}
          value={theme ?? 'auto'}
          choices={THEMES.map((value) => ({ value, label: text.themes[value] }))}
          onChange={(value) => onChange({ theme: value === 'dark' || value === 'light' ? value : undefined })}
        />
        {divisions.length > 1 && (
          <Select
            label={text.division}
            placeholder={text.allDivisions}
            value={division ?? ''}
            choices={divisions.map(([value, label]) => ({ value, label }))}
            onChange={(value) => onChange({ division: value === '' ? undefined : value })}
          />
        )}
      </div>
      <Switch
        kind="checkbox"
        label={text.noHeading}
        checked={!hasTitle}
        onChange={(on) => onChange({ title: on ? '' : undefined })}
      />
      {hasTitle && (
        <TextInput
          label={text.heading}
          help={text.headingHelp}
          value={title ?? ''}
          maxLength={MAX_TITLE}
          onChange={(value) => onChange({ title: value.trim() === '' ? undefined : value })}
        />
      )}
    </>
  )
}
