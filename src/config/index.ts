export { defaultIndexDirectory, type LoadOptions, loadConfig, PROJECT_FILE, userFile } from "./files.js";
export { type Config, type Origin, settingsFrom } from "./ladder.js";
export {
  SETTING_PATHS,
  SETTINGS,
  type Setting,
  type SettingPath,
  type Settings,
  type SettingsInput,
  settingAt,
} from "./settings.js";
