# A rendered package for AWS, and the configuration with which its cluster is installed.
ccf init clusters/demo --quiet --platform aws --name demo --account-id 123456789012 --region us-east-2 \
  --public-key-file serviceaccount-signer.public --credentials-requests credrequests
ccf render --quiet clusters/demo
cat > install-config.yaml <<'END'
apiVersion: v1
baseDomain: example.com
credentialsMode: Manual
metadata:
  name: demo
platform:
  aws:
    region: us-east-2
END
