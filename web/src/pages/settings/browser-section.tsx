import { useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { play } from '../../state/sounds.ts'
import { languages, setPreference, useLanguage, usePreferences } from '../../state/preferences.ts'
import { signOut } from '../../state/session.ts'
import { announcementsMessages } from '../../text/en/announcements.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { settingsMessages } from '../../text/en/settings.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { Select } from '../../ui/fields/inputs.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import styles from './settings.module.css'

const THEMES = ['auto', 'dark', 'light'] as const

/** Settings stored in this browser only; they take effect immediately. */
export function BrowserSection() {
  const text = useMessages(settingsMessages)
  const frame = useMessages(frameMessages)
  const navigate = useNavigate()
  const { theme, density, motion, shortcuts = true } = usePreferences()
  const language = useLanguage()
  return (
    <Panel title={text.browser}>
      <div className={styles.form}>
        <Select
          label={text.theme}
          value={theme ?? 'auto'}
          onChange={(next) => setPreference('theme', next === 'dark' || next === 'light' ? next : undefined)}
          choices={THEMES.map((value) => ({ value, label: frame.themeTo[value] }))}
        />
        <Select
          label={text.language}
          value={language}
          onChange={(next) =>
            setPreference(
              'language',
              languages.find((each) => each === next),
            )
          }
          choices={languages.map((value) => ({ value, label: frame.languageName[value] }))}
        />
        <Switch
          label={text.compact}
          checked={density === 'compact'}
          onChange={(on) => setPreference('density', on ? 'compact' : undefined)}
        />
        <Switch
          label={text.reduceMotion}
          checked={motion === 'reduced'}
          onChange={(on) => setPreference('motion', on ? 'reduced' : undefined)}
        />
        <Switch
          label={text.singleKeys}
          checked={shortcuts}
          onChange={(on) => setPreference('shortcuts', on ? undefined : false)}
        />
        <BloodSwitches />
        <NotificationSwitch />
        <p>{text.signOutText}</p>
        <div className={styles.actions}>
          <Button
            onClick={() => {
              signOut()
              void navigate(paths.home())
            }}
          >
            {frame.signOut}
          </Button>
        </div>
      </div>
    </Panel>
  )
}

/** First bloods of other teams, and sounds. */
function BloodSwitches() {
  const text = useMessages(settingsMessages)
  const { firstBloods = true, bloodMoments, sound } = usePreferences()
  return (
    <>
      <Switch
        label={text.firstBloods}
        checked={firstBloods}
        onChange={(on) => setPreference('firstBloods', on ? undefined : false)}
      />
      <Switch
        label={text.bloodMoments}
        checked={firstBloods && bloodMoments === true}
        disabled={!firstBloods}
        onChange={(on) => setPreference('bloodMoments', on ? true : undefined)}
      />
      <Switch
        label={text.sound}
        checked={sound === true}
        onChange={(on) => {
          setPreference('sound', on ? true : undefined)
          if (on) play('solve')
        }}
      />
    </>
  )
}

/** The browser asks for permission when it is switched on. */
function NotificationSwitch() {
  const text = useMessages(announcementsMessages)
  const { notifications } = usePreferences()
  const [isBlocked, setBlocked] = useState(false)
  if (!('Notification' in window)) return null
  const choose = async (on: boolean) => {
    const isAllowed = on && (await Notification.requestPermission()) === 'granted'
    setBlocked(on && !isAllowed)
    setPreference('notifications', isAllowed ? true : undefined)
  }
  return (
    <Switch
      label={text.notifications}
      error={isBlocked ? text.notificationsBlocked : undefined}
      checked={notifications === true}
      onChange={(on) => void choose(on)}
    />
  )
}
