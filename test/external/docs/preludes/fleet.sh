# Three applied clusters on Google Cloud, in two waves, and a release that asks for more.
cat > ../variables <<'END'
export RELEASE=4.20 VERSION=4.20.3 PREVIOUS=4.19.7 WAVE=1
END
mv credrequests ../credrequests
rm serviceaccount-signer.public
for name in stage-1 prod-1 prod-2; do
  ccf create-key-pair --quiet --no-installer --output-dir "../keys/$name"
  ccf init "clusters/$name" --quiet --platform gcp --name "$name" --project-id my-project --project-number 123456789012 \
    --public-key-file "../keys/$name/serviceaccount-signer.public" --credentials-requests ../credrequests
done
ccf set --quiet metadata.labels.wave=1 clusters/stage-1
ccf set --quiet metadata.labels.wave=2 clusters/prod-1 clusters/prod-2
ccf render --quiet --recursive clusters
ccf apply --yes --quiet --recursive clusters > ../applied.txt
mkdir ../releases
cp -R ../credrequests ../releases/4.19.7
cp -R ../releases/4.19.7 ../releases/4.20.3
sed -i 's/compute.disks.use, /compute.snapshots.create, /' ../releases/4.20.3/30-storage.yaml
