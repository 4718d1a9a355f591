# shellcheck shell=sh
# The frame of destroy.sh. The script defines destroy_steps, and sets `ask_first` and `prefix`.

# confirm_and_destroy: shows what destroy_steps would delete and asks for confirmation, unless `ask_first` is "no". Then
# deletes it.
confirm_and_destroy() {
  if [ "$mode" = apply ] && [ "$ask_first" = yes ]; then
    [ -t 0 ] || die 'cannot ask for confirmation without a terminal; check the output of destroy.sh --dry-run, then use --yes'
    mode=dry-run
    destroy_steps
    mode=apply
    if [ "$changes" -gt 0 ]; then
      printf 'Delete all of this? Type the prefix (%s) to continue: ' "$prefix" | safely
      read -r typed
      [ "$typed" = "$prefix" ] || die 'nothing was deleted'
    fi
    changes=0
  fi
  destroy_steps

  if [ "$changes" -eq 0 ]; then
    echo 'Nothing to delete.'
  elif [ "$mode" = apply ]; then
    echo "$(counted "$changes" resource resources) deleted."
  else
    echo "$(counted "$changes" resource resources) would be deleted."
    exit 2
  fi
}
