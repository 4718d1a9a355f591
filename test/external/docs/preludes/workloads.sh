# An applied cluster on the cloud that CLOUD names, and functions that print what the page shows for it.
case $CLOUD in aws) . "$PRELUDES/aws-applied.sh" ;; *) . "$PRELUDES/$CLOUD.sh" ;; esac
cat > ../variables <<'VARIABLES'
# Prints the block of the page that contains a line.
block() {
  awk -v wanted="$1" '/^```yaml$/ { text = ""; isIn = 1; next }
    /^```$/ { if (isIn && index("\n" text, "\n" wanted "\n")) printf "%s", text; isIn = 0; next }
    isIn { text = text $0 "\n" }' "$PAGE"
}
# What follows "spec:", which the configuration ends with.
guard_rails() { block "    $CLOUD:" | tail -n +2; }
workload_identity() { block "kind: WorkloadIdentity"; }
VARIABLES
git init --quiet
git config user.name reader
git config user.email reader@example.com
